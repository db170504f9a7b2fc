import { readFileSync, readdirSync, renameSync, truncateSync, unlinkSync } from 'node:fs';
import { clock } from '../../store/scratch.ts';
import { linesOf } from '../forge.ts';
import { openStore } from '../scenarios.ts';
import { type Detector, expectOutcome, fill, next, outcome, remove, SEGMENT, segments } from './tools.ts';

/** Moves the only segment that compaction left. */
export const movedSegments: Detector = ({ engine, judge, dir }) => {
  fill(judge, dir, 30);
  judge.compactLedger(dir, { now: clock(), keep_bytes: 0, segment_bytes: 1000 });
  const [only = '', ...others] = segments(dir);
  if (others.length > 0) return ['compaction left more than one segment'];
  remove(dir, 'index');
  remove(dir, 'checkpoint-');
  const first = parseInt(only.slice(7, 19), 16);
  renameSync(`${dir}/${only}`, `${dir}/ledger-${(first - 16).toString(16).padStart(12, '0')}.jsonl`);
  return expectOutcome('a moved segment', 'GUARD_ERR_CORRUPT', () => next(engine, dir));
};

export const removedSegments: Detector = ({ engine, judge, dir }) => {
  const wrong: string[] = [];
  for (const which of [0, 1]) {
    for (const name of readdirSync(dir)) unlinkSync(`${dir}/${name}`);
    fill(judge, dir, 24);
    unlinkSync(`${dir}/${segments(dir)[which] ?? ''}`);
    wrong.push(...expectOutcome(`without segment ${which}`, 'GUARD_ERR_CORRUPT', () => next(engine, dir)));
    remove(dir, 'index');
    remove(dir, 'checkpoint-');
    wrong.push(
      ...expectOutcome(`without segment ${which} and index`, 'GUARD_ERR_CORRUPT', () => next(engine, dir)),
    );
  }
  return wrong;
};

export const shortenedLedger: Detector = ({ engine, judge, dir }) => {
  fill(judge, dir, 3);
  const cut = linesOf(readFileSync(`${dir}/${SEGMENT}`))[1]?.end ?? 0;
  truncateSync(`${dir}/${SEGMENT}`, cut);
  return expectOutcome('a shortened ledger', 'GUARD_ERR_CORRUPT', () => next(engine, dir));
};

/** The ledger lost its end in a power cut, but the index of the previous boot remembers it. */
export const powerCuts: Detector = ({ engine, judge, dir }) => {
  fill(judge, dir, 4);
  const before = openStore(judge, dir).tip();
  truncateSync(`${dir}/${SEGMENT}`, linesOf(readFileSync(`${dir}/${SEGMENT}`))[1]?.end ?? 0);
  let token = 0;
  const got = outcome(() => {
    token = openStore(engine, dir, 'boot-2').transactSync([], (view) => ({ records: [], result: view.next }));
  });
  return got === 'accepted' && token >= before ? [] : [`${got}, token ${token} after ${before}`];
};
