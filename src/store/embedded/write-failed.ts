// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A write that failed, in part or as a whole: nothing of it may stay. */
import { ftruncateSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { asFailure } from '../failure.ts';
import type { Header } from './header.ts';

/** The failure, after what was written is taken back. */
export function writeFailed(error: unknown, fd: number, { applied, base }: Header): unknown {
  const undone = takeBack(fd, applied - base);
  return asFailure(error, 'write to the ledger', {
    lsn: applied,
    outcome: undone ? 'not committed' : 'unknown',
  });
}

/** Cuts back what a failed write left. If even that fails the next process judges the tail. */
const takeBack = (fd: number, size: number): boolean =>
  attempt(() => {
    ftruncateSync(fd, size);
    return true;
  }, false);
