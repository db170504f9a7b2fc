// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Handles a write that failed, in part or as a whole: none of it may remain. */
import { ftruncateSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { asFailure } from '../failure.ts';
import type { Header } from './header.ts';

/** The failure to throw, after undoing the write. */
export function writeFailed(error: unknown, fd: number, { applied, base }: Header): unknown {
  const undone = takeBack(fd, applied - base);
  return asFailure(error, 'write to the ledger', {
    lsn: applied,
    outcome: undone ? 'not committed' : 'unknown',
  });
}

/** Truncates what a failed write left. If even that fails, the next process deals with the tail. */
const takeBack = (fd: number, size: number): boolean =>
  attempt(() => {
    ftruncateSync(fd, size);
    return true;
  }, false);
