import { appendFileSync, readFileSync, readdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { clock } from '../../store/scratch.ts';
import { fold } from '../check.ts';
import { withFault } from '../faults.ts';
import { forged } from '../forge.ts';
import { seeded } from '../random.ts';
import { openStore, write } from '../scenarios.ts';
import { type Detector, fill, next, outcome, remove, SEGMENT, segments } from './tools.ts';

export const keptTail: Detector = ({ engine, judge, dir }) => {
  fill(judge, dir, 3);
  appendFileSync(`${dir}/${SEGMENT}`, '{"v":1,"torn');
  next(engine, dir);
  const note = judge.verifyLedger(dir, { now: clock() }).notes.find(({ kind }) => kind === 'cut');
  const kept = readdirSync(dir)
    .filter((name) => name.startsWith('cut-'))
    .map((name) => readFileSync(`${dir}/${name}`, 'utf8'));
  return isDeepStrictEqual(kept, ['{"v":1,"torn']) && note !== undefined ? [] : ['the torn tail is gone'];
};

export const flippedIndexes: Detector = ({ engine, judge, dir }) => {
  fill(judge, dir, 5);
  const image = readFileSync(`${dir}/index`);
  const random = seeded(23);
  for (let at = 0; at < 400; at++) {
    const copy = Buffer.from(image);
    // A position after the header, in the slots.
    const where = 512 + random(copy.length - 512);
    copy[where] = (copy[where] ?? 0) ^ (1 << random(8));
    writeFileSync(`${dir}/index`, copy);
    const live = openStore(engine, dir).readSync(['path:0', 'path:1', 'path:2', 'path:3', 'path:4']);
    const wrong = Array.from({ length: 5 }, (_, key) => live.get(`path:${key}`) === key).includes(false);
    if (wrong) return [`byte ${where} of the index changed a state`];
  }
  return [];
};

/** Two ledgers in turn in one directory: the second one finds the cache of the first. */
export const foreign =
  (prefix: string): Detector =>
  ({ engine, judge, dir }) => {
    fill(judge, dir, 12);
    const kept = readdirSync(dir)
      .filter((name) => name.startsWith(prefix))
      .map((name) => [name, readFileSync(`${dir}/${name}`)] as const);
    // The same file with other content of the same length, as a restored backup has.
    for (const name of segments(dir)) {
      const bytes = readFileSync(`${dir}/${name}`);
      writeFileSync(`${dir}/${name}`, otherStates(bytes));
    }
    relink(dir);
    for (const name of readdirSync(dir))
      if (name === 'index' || name.startsWith('checkpoint-')) unlinkSync(`${dir}/${name}`);
    const states = fold(openStore(judge, dir).scanSync());
    for (const [name, bytes] of kept) writeFileSync(`${dir}/${name}`, bytes, { mode: 0o600 });
    const got = outcome(() => next(engine, dir));
    const live = new Map(openStore(judge, dir).readSync([], ['path:']).range('path:'));
    for (const [key, state] of states)
      if (!isDeepStrictEqual(live.get(key), state)) return [`the state of ${key} is of the other ledger`];
    const { problems } = judge.verifyLedger(dir, { now: clock() });
    return got === 'accepted' && problems.length === 0 ? [] : [`${got} ${JSON.stringify(problems)}`];
  };

/** Another ledger of the same length, with another key. `relink` seals its lines again. */
function otherStates(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('utf8').replaceAll('"path:0"', '"path:7"'));
}

function relink(dir: string): void {
  const names = segments(dir);
  const whole = Buffer.concat(names.map((name) => readFileSync(`${dir}/${name}`)));
  const sealed = forged(whole, 0, (text) => text, true);
  for (const name of names) {
    const first = parseInt(name.slice(7, 19), 16) - 1;
    writeFileSync(`${dir}/${name}`, sealed.subarray(first, first + statSync(`${dir}/${name}`).size));
  }
}

export const forgottenIds: Detector = ({ engine, judge, dir }) => {
  write(judge, dir, 'first', { states: { n: 1 }, id: 'x' });
  remove(dir, 'index');
  write(engine, dir, 'again', { states: { n: 2 }, id: 'x' });
  return openStore(judge, dir).readSync(['n']).get('n') === 1 ? [] : ['the id was forgotten'];
};

/** Dies when its record is in the ledger but not yet in the index. */
function dieBehindLedger(act: () => void): void {
  for (let at = 1; ; at++) {
    const { calls, died } = withFault(act, { at, fault: { kind: 'die', when: 'after' } });
    if (!died || calls.at(-1)?.operation === 'writeSync') return;
  }
}

export const laggingIndexes: Detector = ({ engine, judge, dir }) => {
  fill(judge, dir, 5);
  dieBehindLedger(() => write(judge, dir, 'removal', { states: { 'path:0': null } }));
  next(engine, dir);
  return judge.verifyLedger(dir, { now: clock() }).problems.map((problem) => JSON.stringify(problem));
};

const contents = (dir: string): unknown =>
  readdirSync(dir)
    .sort()
    .map((name) => [name, readFileSync(`${dir}/${name}`, 'latin1'), statSync(`${dir}/${name}`).mtimeMs]);

export const writingReads: Detector = ({ engine, judge, dir }) => {
  fill(judge, dir, 3);
  dieBehindLedger(() => next(judge, dir));
  const before = contents(dir);
  const got = outcome(() => openStore(engine, dir).readSync(['path:0'], ['']).range(''));
  return got === 'accepted' && isDeepStrictEqual(contents(dir), before)
    ? []
    : [`a read changed the store: ${got}`];
};
