// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The denial of a push of files that were written under leases that had already ended. */
import type { Objection } from './denial.ts';
import { revokedLines } from './revoked-words.ts';
import type { Revoked } from './types.ts';

/** @param cwd where the command would run */
export const pushOverOthers = (cwd: string, lost: readonly Revoked[]): Objection => ({
  error_type: 'WORK_OF_OTHERS',
  path: cwd,
  message: ["This would push changes that may overwrite others' work.", ...revokedLines(lost)].join(' '),
  details: { files: lost.map(({ path, to }) => ({ path, author: to })) },
  recovery_hint: 'Lock these files, read them again, and check what became of their work; then push.',
  next: [],
});
