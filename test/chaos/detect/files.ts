import { copyFileSync, linkSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { makeDirInMemory, removeDir } from '../../store/scratch.ts';
import { withFault } from '../faults.ts';
import { forged } from '../forge.ts';
import { write } from '../scenarios.ts';
import { type Detector, expectOutcome, fill, next, remove, SEGMENT } from './tools.ts';

/** In fsync mode, every byte of the ledger and its directory entry is on disk before the answer. */
export const unsynced: Detector = ({ engine, dir }) => {
  const { calls } = withFault(() => write(engine, dir, 'first', { states: { a: 1 } }, undefined, 'fsync'), {
    at: 0,
    fault: { kind: 'short' },
  });
  const order = calls.map(({ operation }) => operation);
  const isForced = order.lastIndexOf('fdatasyncSync') > order.indexOf('writeSync');
  const opened = calls.findIndex(({ operation, target }) => operation === 'openSync' && target === dir);
  const isListed = opened >= 0 && order[opened + 1] === 'fsyncSync';
  return isForced && isListed ? [] : [`never forced to disk: ${order.join(' ')}`];
};

export const newerRecords: Detector = ({ engine, judge, dir }) => {
  fill(judge, dir, 3);
  const whole = readFileSync(`${dir}/${SEGMENT}`);
  writeFileSync(
    `${dir}/${SEGMENT}`,
    forged(whole, 2, (text) => text.replace('{"v":1,', '{"v":2,'), true),
  );
  remove(dir, 'index');
  return expectOutcome('a newer record', 'GUARD_ERR_VERSION', () => next(engine, dir));
};

export const unsafeFiles: Detector = ({ engine, judge, dir }) => {
  fill(judge, dir, 2);
  const other = makeDirInMemory();
  try {
    const wrong: string[] = [];
    linkSync(`${dir}/${SEGMENT}`, `${other}/second`);
    wrong.push(...expectOutcome('a second name', 'GUARD_ERR_STATE_DIR', () => next(engine, dir)));
    unlinkSync(`${other}/second`);
    copyFileSync(`${dir}/${SEGMENT}`, `${other}/elsewhere`);
    unlinkSync(`${dir}/${SEGMENT}`);
    symlinkSync(`${other}/elsewhere`, `${dir}/${SEGMENT}`);
    wrong.push(...expectOutcome('a symbolic link', 'GUARD_ERR_STATE_DIR', () => next(engine, dir)));
    return wrong;
  } finally {
    removeDir(other);
  }
};
