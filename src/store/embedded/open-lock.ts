// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Opens the lock file for callers that have not read the ledger before. */
import { constants } from 'node:fs';
import { asFailure, knownErrno } from '../failure.ts';
import { LOCK, openFile, type OpenFile } from './files.ts';

interface LockFile {
  readonly dir: string;
  readonly writable: boolean;
}

/** A reader creates the file only if a ledger has lost it: there is nothing else to lock. */
export function openLock({ dir, writable }: LockFile): OpenFile {
  try {
    if (!writable) return openFile(dir, LOCK, constants.O_RDONLY);
  } catch (error) {
    if (knownErrno(error) !== 'ENOENT') throw error;
  }
  try {
    return openFile(dir, LOCK, constants.O_RDWR | constants.O_CREAT);
  } catch (error) {
    throw asFailure(error, `open ${dir}/${LOCK}`, { path: `${dir}/${LOCK}` });
  }
}
