import { writeBundle } from '../../store/bundle.ts';
import { run } from '../../store/scratch.ts';
import { openStore } from '../scenarios.ts';
import type { Detector } from './tools.ts';

const COUNTER = `
  const { openEmbedded } = require(process.argv[2]);
  const now = () => ({ mono_ms: Number(process.hrtime.bigint() / 1000000n), boot: 'boot-1', wall_ms: Date.now() });
  const store = openEmbedded(process.argv[3], { now, lock_deadline_ms: 20000 });
  for (let round = 0; round < 150; round++) {
    store.transactSync(['n'], (view) => {
      for (const until = performance.now() + 0.2; performance.now() < until; );
      return { records: [{ type: 'test', agent: 'a', ts_ms: 0, s: { n: (view.get('n') ?? 0) + 1 } }], result: 0 };
    });
  }
`;

/** Others commit between a look and its commit: to a key that was read, to one that was missing, to a listing. */
export const staleCommits: Detector = ({ engine, dir }) => {
  const plain = openStore(engine, dir);
  const put = (s: Record<string, number | null>): null =>
    plain.transactSync([], () => ({ records: [{ type: 'test', agent: 'a', ts_ms: 0, s }], result: null }));
  put({ k: 1, 'm:1': 1, 'm:2': 1 });
  const index = { below: 'm:', since: 0 };
  return [{ k: 2 }, { new: 1 }, { 'm:3': 1 }, { 'm:1': null }].flatMap((s) => {
    const { tip, states, lists } = plain.store.look(['k', 'new'], [index]);
    put(s);
    const keys = new Map([...states].map(([key, { version }]) => [key, version]));
    const { verdict } = plain.store.commit({ tip, keys, lists }, [
      { type: 'test', agent: 'a', ts_ms: 0, s: { other: 1 } },
    ]);
    return verdict === 'moved' ? [] : [`committed on what moved: ${JSON.stringify(s)}`];
  });
};

/** Three processes add to one key. */
export const lostAdditions: Detector = async ({ file, dir, judge }) => {
  const program = writeBundle(COUNTER);
  const ends = await Promise.all(Array.from({ length: 3 }, () => run(program, [file, dir]).ended));
  if (ends.some(({ code }) => code !== 0)) return ['a process failed'];
  const counted = openStore(judge, dir).readSync(['n']).get('n');
  return counted === 450 ? [] : [`450 additions, ${JSON.stringify(counted)} counted`];
};
