import { readFileSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { clock } from '../../store/scratch.ts';
import { forged, linesOf } from '../forge.ts';
import { openStore, write } from '../scenarios.ts';
import { type Detector, expectOutcome, SEGMENT, segments, type Subject } from './tools.ts';

/** Images of a ledger without its index, each with the required outcome. */
function images(
  subject: Subject,
  make: (whole: Buffer) => Iterable<readonly [image: Buffer, wanted: string, kept: number]>,
): string[] {
  const { engine, judge, dir } = subject;
  for (let at = 0; at < 8; at++)
    write(judge, dir, 'fill', { states: { [`path:${at}`]: at }, siblings: at === 6 ? 2 : 0 });
  const whole = Buffer.concat(segments(dir).map((name) => readFileSync(`${dir}/${name}`)));
  for (const [image, wanted, kept] of make(whole)) {
    for (const name of readdirSync(dir)) if (name !== 'lock') unlinkSync(`${dir}/${name}`);
    writeFileSync(`${dir}/${SEGMENT}`, image, { mode: 0o600 });
    const store = engine.openEmbedded(dir, { now: clock(), lock_deadline_ms: 1000 });
    const wrong = expectOutcome('image', wanted, () =>
      store.transactSync([], () => ({
        records: [{ type: 'test', agent: 'a', ts_ms: 0, s: { next: 1 } }],
        result: 0,
      })),
    );
    if (wrong.length > 0) return wrong;
    if (wanted !== 'accepted') continue;
    const problems = judge.verifyLedger(dir, { now: clock() }).problems;
    if (problems.length > 0) return [`verify: ${JSON.stringify(problems[0])}`];
    const there = [...openStore(judge, dir).scanSync()].filter(
      ({ type, s }) => type === 'test' && !('next' in s),
    ).length;
    if (there !== kept) return [`${there} records kept instead of ${kept}`];
  }
  return [];
}

export const cutImages: Detector = (subject) =>
  images(subject, function* (whole) {
    const lines = linesOf(whole);
    for (let at = 40; at < whole.length; at += 23) {
      const kept = lines.filter((one) => one.end <= at && one.lastOfCommit);
      const records = lines.findLastIndex((one) => one === kept.at(-1)) + 1;
      yield [whole.subarray(0, at), 'accepted', records];
    }
  });

export const flippedImages: Detector = (subject) =>
  images(subject, function* (whole) {
    const lines = linesOf(whole);
    // In the middle of every line, and at every byte of one line's frame.
    const end = lines[3]?.end ?? 0;
    const frame = Array.from({ length: 19 }, (_, at) => end - 2 - at).filter((at) => whole[at] !== 10);
    const last = Array.from({ length: 19 }, (_, at) => whole.length - 2 - at);
    for (const at of [...lines.map((one) => Math.floor((one.start + one.end) / 2)), ...frame, ...last]) {
      const image = Buffer.from(whole);
      image[at] = (image[at] ?? 0) ^ 1;
      yield [image, 'GUARD_ERR_CORRUPT', 0];
    }
  });

export const forgedRecords: Detector = (subject) =>
  images(subject, function* (whole) {
    yield [
      forged(whole, 3, (text) => text.replace('"mark":"fill"', '"mark":"F1LL"')),
      'GUARD_ERR_CORRUPT',
      0,
    ];
  });
