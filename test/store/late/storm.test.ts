/** Processes that leave ends and take them in simultaneously, killed at random moments. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { LedgerRecord } from '../../../src/core/ledger.ts';
import { readNow } from '../../../src/repo/clock.ts';
import { takeIn } from '../../../src/store/late/take-in.ts';
import { openStore } from '../../../src/store/open.ts';
import { operate } from '../../../src/store/operate.ts';
import { verifyLedger } from '../../../src/store/upkeep.ts';
import { bundleProgram } from '../bundle.ts';
import { run, withDir } from '../scratch.ts';
import { agentNamed, factsAt } from './writing.ts';

const KILLS = Number(process.env['GUARD_LATE_KILLS'] ?? 24);
const WORKERS = 4;

interface Said {
  readonly op: string;
  readonly path?: string;
  readonly begun_us?: number;
  readonly ended_us?: number;
}

/** Keeps this many workers running; a killed one is replaced by the next. */
async function storm(dir: string): Promise<Said[]> {
  const program = bundleProgram('test/store/late/worker.ts');
  const said: Said[] = [];
  const failed: string[] = [];
  let born = 0;
  async function lives(): Promise<void> {
    while (born < KILLS) {
      const worker = run(program, [dir, `w${++born}`, String(born * 7919)]);
      // A worker that fails says no more, and is found below.
      await Promise.race([worker.lines(1 + Math.floor(Math.random() * 40)), worker.ended]);
      worker.child.kill('SIGKILL');
      const { signal, lines, stderr } = await worker.ended;
      said.push(...(lines as Said[]));
      if (signal !== 'SIGKILL') failed.push(stderr);
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, lives));
  expect(failed).toEqual([]);
  return said;
}

const ofType = (records: readonly LedgerRecord[], types: RegExp): Map<unknown, readonly LedgerRecord[]> => {
  const found = new Map<unknown, readonly LedgerRecord[]>();
  for (const one of records)
    if (types.test(one.type)) found.set(one['op'], [...(found.get(one['op']) ?? []), one]);
  return found;
};

test(
  'every end that was told is on record once, and before whatever began after it was told',
  () =>
    withDir(async (dir) => {
      const said = await storm(dir);
      const store = openStore({ dir, now: readNow, takeIn });
      operate(store, { type: 'agent.present', who: agentNamed('z') }, factsAt(readNow()));
      expect(readdirSync(dir)).not.toContain('late-unread');
      const records = [...store.scan()];
      const ends = ofType(records, /^(?:write|write\.raced|bypass)$/);
      const begins = ofType(records, /^intent$/);
      const told = said.flatMap(({ op, ended_us }) => (ended_us === undefined ? [] : [{ op, ended_us }]));
      expect(told.length).toBeGreaterThan(KILLS);
      expect(told.filter(({ op }) => ends.get(op)?.length !== 1)).toEqual([]);
      expect([...ends.values()].flat().filter(({ type }) => type === 'bypass')).toEqual([]);
      expect(records.some(({ happened_at }) => happened_at !== undefined)).toBe(true);
      const begun = said.flatMap(({ op, begun_us }) => (begun_us === undefined ? [] : [{ op, begun_us }]));
      const early = told.flatMap((one) =>
        begun.filter(
          (next) =>
            next.begun_us > one.ended_us &&
            (begins.get(next.op)?.[0]?.lsn ?? Infinity) < (ends.get(one.op)?.[0]?.lsn ?? Infinity),
        ),
      );
      expect(early).toEqual([]);
      const dates = records.map(({ ts }) => ts);
      expect(dates).toEqual([...dates].sort());
      expect(verifyLedger(dir)).toMatchObject({ ok: true, problems: [] });
    }),
  Math.max(60_000, 500 * KILLS),
);
