/** The clients that `guard init --host` sets up, and where their hooks are. */
import type { HostName } from '../../claude/adapters/index.ts';
import { GuardError } from '../../core/error.ts';
import type { Repo } from '../../repo/locate.ts';
import { realPath } from '../../repo/real-path.ts';
import type { Environment } from '../../repo/user-dirs.ts';
import { findFile } from '../file-change.ts';
import type { Scope } from '../scopes.ts';
import type { UndoBook } from '../undo.ts';
import type { HostScope } from './host.ts';
import { type HostFound, HOST_ROWS } from './place.ts';
import { join } from 'node:path';

export type { HostName } from '../../claude/adapters/index.ts';

export const HOST_NAMES = Object.keys(HOST_ROWS) as readonly HostName[];

interface Place {
  readonly repo: Repo;
  readonly env: Environment;
}

/** The scope in which it is set up now; the project the first time. */
export function hostScope(name: HostName, { env }: Place, user: UndoBook): HostScope {
  const file = HOST_ROWS[name].userFile?.(env);
  return file !== undefined && user.files[realPath(file)] !== undefined ? 'user' : 'project';
}

/** @throws GuardError GUARD_ERR_USAGE if the client has no such scope */
export function findHost(name: HostName, scope: Scope, { repo, env }: Place): HostFound {
  const row = HOST_ROWS[name];
  const file =
    scope === 'project' ? join(repo.root, row.file) : scope === 'user' ? row.userFile?.(env) : undefined;
  if (scope === 'local' || file === undefined) throw noScope(row.label, scope, row.userFile !== undefined);
  return { name, scope, found: findFile(file) };
}

const noScope = (label: string, scope: Scope, has_user: boolean): GuardError =>
  new GuardError(
    'GUARD_ERR_USAGE',
    `${label} has no --scope ${scope}.`,
    `Use --scope project${has_user ? ' or --scope user' : ''}.`,
    { scope },
  );
