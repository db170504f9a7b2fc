/** Checks that the installed git supports forecasts. */
import { GuardError } from '../core/error.ts';
import type { ForecastGit } from './git.ts';

/** The first version with `git merge-tree --stdin`. */
const OLDEST = [2, 39] as const;

/** @throws GuardError GUARD_ERR_GIT for an older one */
export async function requireAble(git: ForecastGit, cwd: string): Promise<string> {
  const said = (await git.ask({ cwd }, 'version')).trim();
  return requireVersion(said);
}

export function requireVersion(said: string): string {
  const [, version = said, major = '0', minor = '0'] = /^git version ((\d+)\.(\d+)\S*)/.exec(said) ?? [];
  const [need_major, need_minor] = OLDEST;
  if (Number(major) > need_major || (Number(major) === need_major && Number(minor) >= need_minor))
    return version;
  throw new GuardError(
    'GUARD_ERR_GIT',
    `This is git ${version}; a forecast needs 2.39, which merges without a checkout (git merge-tree --stdin).`,
    'Update git.',
    { version, needed: OLDEST.join('.') },
  );
}
