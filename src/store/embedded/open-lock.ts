// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The lock file, where nobody has looked at the ledger before. */
import { constants } from 'node:fs';
import { asFailure, knownErrno } from '../failure.ts';
import { LOCK, openFile, type OpenFile } from './files.ts';

interface LockFile {
  readonly dir: string;
  readonly writable: boolean;
}

/** A reader makes the file only where a ledger has lost it: nothing else can be locked then. */
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
