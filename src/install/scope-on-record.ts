/** The scope in which Claude Code is hooked now. */
import type { Repo } from '../repo/locate.ts';
import { realPath } from '../repo/real-path.ts';
import { isStandalone } from '../repo/standalone.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { findOnPath } from './find-on-path.ts';
import { type Scope, settingsPath } from './scopes.ts';
import type { UndoBook } from './undo.ts';

export function scopeOnRecord(
  repo: Repo,
  env: Environment,
  { own, user }: Record<'own' | 'user', UndoBook>,
): Scope {
  const isHooked = (scope: Scope) => own.files[realPath(settingsPath(scope, repo.root, env))]?.hooks === true;
  if (isHooked('local')) return 'local';
  if (isHooked('project')) return 'project';
  const isUsers = user.files[realPath(settingsPath('user', repo.root, env))]?.hooks === true;
  if (isUsers && user.used_by.includes(repo.state_dir)) return 'user';
  // The line of a project install starts `node`, which a standalone binary does not need.
  return isStandalone() && findOnPath('node', env['PATH']) === null ? 'local' : 'project';
}
