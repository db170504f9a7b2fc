import { lstatSync } from 'node:fs';
import { readInstall } from '../install.ts';
import type { Repo } from '../repo.ts';
import type { Environment } from '../user-dirs.ts';
import { isBelieved } from './belief.ts';
import { anchorOf, identity, isSame, readMark } from './mark.ts';

/**
 * Whether the content of a state directory was written by this user's guard for this very repository, even if the
 * directory itself is open to others or restored from a backup: its id is a secret in this user's mark. Weaker than
 * being trusted, but enough to resume what a person asks to resume.
 */
export function isOwnState(
  place: Pick<Repo, 'state_dir' | 'common_dir' | 'root'>,
  env: Environment,
): boolean {
  if (isBelieved(place, env)) return true;
  const mark = readMark(anchorOf(place), env);
  try {
    return mark !== null && readInstall(place.state_dir).id === mark.id;
  } catch {
    // install.json is damaged or missing, but only this user can have created this very directory.
    const stat = lstatSync(place.state_dir, { bigint: true, throwIfNoEntry: false });
    return mark !== null && stat !== undefined && isSame(mark.state, identity(stat));
  }
}
