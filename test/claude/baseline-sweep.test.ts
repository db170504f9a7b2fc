import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { sweepBaselines } from '../../src/claude/baseline-sweep.ts';

const DAY_MS = 24 * 3_600_000;
const dir = fs.mkdtempSync(join(os.tmpdir(), 'guard-sweep-'));
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

it('the baselines of an agent that was silent for a month go, younger ones stay', () => {
  const now = Date.now();
  for (const [name, age_days] of [
    ['old', 31],
    ['young', 29],
  ] as const) {
    fs.mkdirSync(join(dir, 'baselines', name), { recursive: true });
    fs.writeFileSync(join(dir, 'baselines', name, 'x.json'), '');
    const then = new Date(now - age_days * DAY_MS);
    fs.utimesSync(join(dir, 'baselines', name), then, then);
  }
  sweepBaselines(dir, now);
  expect(fs.readdirSync(join(dir, 'baselines'))).toEqual(['young']);
});
