import { readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { openMemory } from '../../store/memory.ts';
import { plain } from '../../store/plain.ts';
import { clock } from '../../store/scratch.ts';
import { seeded } from '../random.ts';
import { openStore, write } from '../scenarios.ts';
import { type Detector, next, outcome } from './tools.ts';

/** The same random steps on the engine and in memory. */
export const differences: Detector = ({ engine, dir }) => {
  const store = engine.openEmbedded(dir, { now: clock(), segment_bytes: 20_000 });
  const memory = plain(openMemory({ now: clock() }));
  const random = seeded(29);
  for (let round = 0; round < 400; round++) {
    const keys = Array.from(
      { length: 1 + random(4) },
      () => `${['path', 'wait', 'pat'][random(3)] ?? ''}:${random(300)}`,
    );
    const isRemoval = random(4) === 0;
    const id = random(3) === 0 ? { id: `id${random(40)}` } : {};
    const agent = `a${random(2)}`;
    const results = [store, memory].map((one) =>
      one.transactSync(keys, (view) => ({
        records: [
          {
            type: 'test',
            agent,
            ts_ms: round,
            ...id,
            s: Object.fromEntries(
              keys.map((key) => [
                key,
                isRemoval ? null : { round, key, before: view.get(key) === undefined },
              ]),
            ),
          },
        ],
        result: [view.next, ...keys.map((key) => view.get(key) ?? null)],
      })),
    );
    if (!isDeepStrictEqual(results[0], results[1])) return [`round ${round}: ${JSON.stringify(results)}`];
  }
  for (const prefix of ['path:', 'path:1', 'wait:', 'pat:', 'pat']) {
    const [ours, theirs] = [store, memory].map((one) => one.readSync([], [prefix]).range(prefix));
    if (!isDeepStrictEqual(ours, theirs))
      return [`the range ${prefix}: ${ours?.length ?? 0} keys instead of ${theirs?.length ?? 0}`];
  }
  return isDeepStrictEqual([...store.scanSync()], [...memory.scanSync()]) ? [] : ['the records differ'];
};

export const compaction: Detector = ({ engine, judge, dir }) => {
  for (let at = 0; at < 40; at++)
    write(judge, dir, `fill ${at}`, {
      states: {
        [`path:${at % 7}`]: at,
        [`once:${at}`]: at,
        ...(at % 5 === 0 ? { [`once:${at - 3}`]: null } : {}),
      },
    });
  const before = openStore(judge, dir).readSync([], ['']).range('');
  const got = outcome(() =>
    engine.compactLedger(dir, {
      now: clock(),
      keep_bytes: 1000,
      segment_bytes: 1500,
      lock_deadline_ms: 1000,
    }),
  );
  const after = outcome(() => next(judge, dir));
  if (got !== 'accepted' || after !== 'accepted') return [`${got}, then ${after}`];
  const states = openStore(judge, dir)
    .readSync([], [''])
    .range('')
    .filter(([key]) => key !== 'path:next');
  const removed = readdirSync(dir).includes('archive');
  const { problems } = judge.verifyLedger(dir, { now: clock() });
  return isDeepStrictEqual(states, before) && removed && problems.length === 0
    ? []
    : ['compaction changed states, or removed nothing'];
};
