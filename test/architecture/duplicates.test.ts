import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

import { NOTHING, sinceListed } from './shrinking.ts';
import { ROOT } from './sources.ts';

const run = promisify(execFile);
const JSCPD = join(ROOT, 'node_modules/jscpd/run-jscpd.js');
const LINES_MIN = 5;
const TOKENS_MIN = 50;
/** Percentage of all lines in src/; 0.13 when this was written. */
const PERCENT_MAX = 0.2;

interface Side {
  readonly name: string;
}

interface Report {
  readonly duplicates: readonly {
    readonly lines: number;
    readonly firstFile: Side;
    readonly secondFile: Side;
  }[];
  readonly statistics: { readonly total: { readonly sources: number; readonly percentage: number } };
}

describe('the sources', () => {
  test('are written once: no five lines stand in two places', { timeout: 120_000 }, async () => {
    const { duplicates, statistics } = await reportOn('src');
    expect(statistics.total.sources).toBeGreaterThan(100);
    expect(statistics.total.percentage).toBeLessThanOrEqual(PERCENT_MAX);
    const found = new Map<string, number>();
    for (const { lines, firstFile, secondFile } of duplicates) {
      const pair = [firstFile.name, secondFile.name].sort().join(' ');
      found.set(pair, (found.get(pair) ?? 0) + lines);
    }
    expect(sinceListed('duplicates', found)).toEqual(NOTHING);
  });
});

async function reportOn(dir: string): Promise<Report> {
  const out = mkdtempSync(join(tmpdir(), 'guard-duplicates-'));
  const limits = ['--min-lines', String(LINES_MIN), '--min-tokens', String(TOKENS_MIN)];
  try {
    await run(process.execPath, [JSCPD, dir, ...limits, '--reporters', 'json', '--output', out], {
      cwd: ROOT,
    });
    return JSON.parse(readFileSync(join(out, 'jscpd-report.json'), 'utf8')) as Report;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
