/** Keys that only the user's own file may set, if it is outside everything a repository could have written. */
import { userConfigFile } from '../repo/user-dirs.ts';
import { readConfigFile } from './file.ts';
import { type ConfigInput, isPersonal } from './load.ts';
import type { OwnKeys } from './own-keys.ts';

/** `null` if there is no such file, or it is not the user's own. */
export function loadOwnKeys({ repo, env }: Pick<ConfigInput, 'repo' | 'env'>): OwnKeys | null {
  const file = userConfigFile(env);
  const user = readConfigFile(file, 'user');
  return user !== null && isPersonal(file, repo) ? user : null;
}
