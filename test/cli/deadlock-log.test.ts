/** The ledger alone says the same as the rules that wrote it: `guard deadlock --log` over random histories. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { edgesOfLog } from '../../src/cli/graph/log-file.ts';
import { viewOf } from '../../src/core/fold.ts';
import { statusOf } from '../../src/core/report.ts';
import { cyclesOf } from '../../src/core/rules/wait-graph.ts';
import type { Cycle } from '../../src/core/rules/wait-graph.ts';
import { act, castOf } from '../core/deadlock/histories.ts';
import type { World } from '../core/world.ts';

const HISTORIES = 400;
const EVENTS = 22;

const linesOf = ({ records }: World): string =>
  records
    .map(({ ts_ms, ...record }, n) =>
      JSON.stringify({ v: 1, lsn: n, ts: new Date(ts_ms).toISOString(), ...record }),
    )
    .join('\n');

const inWords = (cycles: readonly Cycle[]): string[] =>
  cycles.map(
    ({ kind, edges }) => `${kind}: ${edges.map(({ from, to, path }) => `${from} ${path} ${to}`).join(', ')}`,
  );

describe(`${HISTORIES} random histories`, () => {
  it('the verdict of the ledger file is that of the states', async () => {
    const dir = fs.mkdtempSync(join(tmpdir(), 'guard-log-'));
    const seen = { deadlock: 0, possible: 0 };
    try {
      for (let seed = 0; seed < HISTORIES; seed++) {
        const cast = castOf(seed);
        const { world } = cast;
        for (let n = 0; n < EVENTS; n++) act(cast);
        const last = world.records.at(-1);
        // The process table is not in the ledger.
        if (last === undefined || world.dead.size > 0) continue;
        const file = join(dir, 'ledger.jsonl');
        fs.writeFileSync(file, linesOf(world));
        const passed_ms = world.wall_ms - last.ts_ms;
        const facts = {
          ...world.facts,
          now: { ...world.facts.now, wall_ms: last.ts_ms, mono_ms: world.mono_ms - passed_ms },
        };
        const { cycles } = statusOf(viewOf(new Map(world.states)), facts);
        expect(inWords(cyclesOf(await edgesOfLog(file, world.policy))), `seed ${seed}`).toEqual(
          inWords(cycles),
        );
        for (const { kind } of cycles) seen[kind]++;
      }
    } finally {
      fs.rmSync(dir, { recursive: true });
    }
    expect(seen.deadlock).toBeGreaterThan(3);
    expect(seen.possible).toBeGreaterThan(10);
  });
});
