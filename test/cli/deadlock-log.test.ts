/** The ledger alone gives the same result as the rules that wrote it: `guard deadlock --log` over random histories. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { graphOfLog } from '../../src/operations/deadlock-log.ts';
import { viewOf } from '../../src/core/fold.ts';
import { statusOf } from '../../src/core/report.ts';
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

describe('a broken or foreign log', () => {
  const policy = castOf(0).world.policy;
  const failure = (file: string, pipes = false) =>
    graphOfLog(file, policy, { pipes }).then(
      () => null,
      (error: unknown) => (error as { code?: unknown }).code,
    );

  it.runIf(process.platform === 'linux')(
    'a device, a directory and a pipe of an agent are refused',
    async () => {
      for (const file of ['/dev/zero', '/dev/tty', '/tmp', '/dev/fd/0'])
        expect([file, await failure(file)]).toEqual([file, 'GUARD_ERR_IO']);
    },
  );

  it.runIf(process.platform === 'linux')('a file that the kernel generates is read as empty', async () => {
    expect(await failure('/proc/kmsg')).toBeNull();
  });

  it('a line without an end is skipped, and what follows it counts', async () => {
    const dir = fs.mkdtempSync(join(tmpdir(), 'guard-log-'));
    try {
      const file = join(dir, 'long.jsonl');
      const records = [
        { type: 'hold', agent: 'a', path: 'x' },
        { type: 'hold', agent: 'b', path: 'y' },
        { type: 'wait', agent: 'a', path: 'y' },
        { type: 'wait', agent: 'b', path: 'x' },
      ].map((record) => JSON.stringify(record));
      const plain = await graphOfLog(write(file, records), policy, { pipes: false });
      const long = 'x'.repeat(50 << 20);
      expect([plain.edges.length, plain.cycles.length]).toEqual([2, 1]);
      expect(await graphOfLog(write(file, [long, ...records]), policy, { pipes: false })).toEqual(plain);
      expect(await graphOfLog(write(file, [...records, long]), policy, { pipes: false })).toEqual(plain);
    } finally {
      fs.rmSync(dir, { recursive: true });
    }
  });
});

function write(file: string, lines: readonly string[]): string {
  fs.writeFileSync(file, lines.join('\r\n'));
  return file;
}

describe(`${HISTORIES} random histories`, () => {
  it('the ledger file gives the same verdict as the states', async () => {
    const dir = fs.mkdtempSync(join(tmpdir(), 'guard-log-'));
    const seen = { deadlock: 0, possible: 0 };
    try {
      for (let seed = 0; seed < HISTORIES; seed++) {
        const cast = castOf(seed);
        const { world } = cast;
        for (let n = 0; n < EVENTS; n++) act(cast);
        const last = world.records.at(-1);
        // Dead processes are not visible in the ledger.
        if (last === undefined || world.dead.size > 0) continue;
        const file = join(dir, 'ledger.jsonl');
        fs.writeFileSync(file, linesOf(world));
        const passed_ms = world.wall_ms - last.ts_ms;
        const facts = {
          ...world.facts,
          now: { ...world.facts.now, wall_ms: last.ts_ms, mono_ms: world.mono_ms - passed_ms },
        };
        const { cycles } = statusOf(viewOf(new Map(world.states)), facts);
        const told = await graphOfLog(file, world.policy, { pipes: false });
        expect(inWords(told.cycles), `seed ${seed}`).toEqual(inWords(cycles));
        for (const { kind } of cycles) seen[kind]++;
      }
    } finally {
      fs.rmSync(dir, { recursive: true });
    }
    expect(seen.deadlock).toBeGreaterThan(3);
    expect(seen.possible).toBeGreaterThan(10);
  });
});
