// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Denials of a push of files that were written under leases that had already ended, or may have. */
import type { Objection } from './denial.ts';
import { revokedLines } from './revoked-words.ts';
import type { Revoked, RepoPath } from './types.ts';

/** @param cwd where the command would run */
export const pushOverOthers = (cwd: string, lost: readonly Revoked[]): Objection => ({
  error_type: 'WORK_OF_OTHERS',
  path: cwd,
  message: ["This would push changes that may overwrite others' work.", ...revokedLines(lost)].join(' '),
  details: { files: lost.map(({ path, to }) => ({ path, author: to })) },
  recovery_hint: 'Lock these files, read them again, and check what became of their work; then push.',
  next: [],
});

/** @param paths written under cached leases while the shared ledger was away, so that their holders now are not known */
export const pushUnasked = (cwd: string, paths: readonly RepoPath[]): Objection => ({
  error_type: 'WORK_OF_OTHERS',
  path: cwd,
  message: `This would push changes that may overwrite others' work: ${paths.map((path) => JSON.stringify(path)).join(', ')} ${paths.length === 1 ? 'was' : 'were'} written while the shared ledger did not answer, and whether the locks still held is not known yet.`,
  details: { files: paths.map((path) => ({ path, author: '' })), engine_away: true },
  recovery_hint: 'Push when the shared ledger answers again: guard doctor shows whether it does.',
  next: [],
});
