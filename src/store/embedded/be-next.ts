// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Of the processes that have waited for the lock for some time, one is next: it tries sixteen times as often as the others. Without that,
 * a process that takes the lock again immediately after releasing it could keep overtaking a waiter (docs/decisions/243). The one that is
 * next holds flock(2) on `home`, a file that every ledger has and nothing else locks.
 */
import { constants } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { close, HOME, openFile } from './files.ts';
import type { Flock } from '../flock/provider.ts';

/** Returns a function that gives the turn up; undefined if another process is next, or the file does not exist yet. */
export function beNext({
  dir,
  flock,
}: {
  readonly dir: string;
  readonly flock: Flock;
}): (() => void) | undefined {
  const file = attempt(() => openFile(dir, HOME, constants.O_RDONLY), undefined);
  if (file === undefined) return undefined;
  const { fd } = file;
  const free = attempt(() => flock.take({ fd, path: `${dir}/${HOME}` }), null);
  if (!free) {
    close(fd);
    return undefined;
  }
  return () => {
    free();
    close(fd);
  };
}
