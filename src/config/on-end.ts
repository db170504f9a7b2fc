/** `on_end`: a program names it, so it is the user's own word alone. */
import { userConfigFile } from '../repo/user-dirs.ts';
import { readConfigFile } from './file.ts';
import { type ConfigInput, isPersonal } from './load.ts';

/** Program and arguments; empty: nothing is called. */
export function loadOnEnd({ repo, env }: Pick<ConfigInput, 'repo' | 'env'>): readonly string[] {
  const file = userConfigFile(env);
  const user = readConfigFile(file, 'user');
  return user !== null && isPersonal(file, repo) ? user.on_end : [];
}
