import { lstatSync } from 'node:fs';
import { readInstall } from '../install.ts';
import type { Repo } from '../repo.ts';
import type { Environment } from '../user-dirs.ts';
import { isBelieved } from './belief.ts';
import { anchorOf, identity, isSame, readMark } from './mark.ts';

/**
 * Whether what is in a state directory was left there by this user's guard for this very repository, though the
 * directory itself may be open to others or restored from a backup: its id is a secret of this user's mark. Less than
 * being believed: enough to take up again what a person asks to take up again.
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
    // install.json is what is damaged, or not yet there; nobody but this user had this very directory.
    const stat = lstatSync(place.state_dir, { bigint: true, throwIfNoEntry: false });
    return mark !== null && stat !== undefined && isSame(mark.state, identity(stat));
  }
}
