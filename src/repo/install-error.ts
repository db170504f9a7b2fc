// lazy: loaded at the first call of one of its functions, and exports nothing else.
import { GuardError } from '../core/error.ts';

export function badInstall(file: string, reason: string): GuardError {
  const hint = `If you set guard up here, run \`guard init\` again; otherwise, remove the directory that contains this file.`;
  return new GuardError('GUARD_ERR_STATE_DIR', `${file} ${reason}.`, hint, { file, reason });
}

export function newerInstall(file: string, v: number): GuardError {
  const message = `${file} was written by a newer guard (version ${v}).`;
  return new GuardError('GUARD_ERR_VERSION', message, 'Update guard in this repository.', { file, v });
}

export const unwritten = (file: string, cause: unknown): GuardError =>
  new GuardError(
    'GUARD_ERR_IO',
    `${file} cannot be written.`,
    'Check the disk and the permissions.',
    { file },
    cause,
  );
