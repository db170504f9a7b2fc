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

/** Three processes add to one key. */
export const lostAdditions: Detector = async ({ file, dir, judge }) => {
  const program = writeBundle(COUNTER);
  const ends = await Promise.all(Array.from({ length: 3 }, () => run(program, [file, dir]).ended));
  if (ends.some(({ code }) => code !== 0)) return ['a process failed'];
  const counted = openStore(judge, dir).readSync(['n']).get('n');
  return counted === 450 ? [] : [`450 additions, ${JSON.stringify(counted)} counted`];
};
