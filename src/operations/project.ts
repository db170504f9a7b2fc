/** The name of a repository's project. It is only a label, because one ledger is one project. */
import { basename, extname } from 'node:path';
import type { Workspace } from '../workspace/workspace.ts';
import { label, optional } from './field.ts';

type Named = Pick<Workspace, 'repo' | 'env'>;

/**
 * GUARD_PROJECT, INTERLOCK_PROJECT, or the name of the socket in INTERMUTE_SOCKET; otherwise the name of the
 * repository's directory. The same in every worktree.
 */
export function projectOf({ repo, env }: Named): string {
  const named = [env['GUARD_PROJECT'], env['INTERLOCK_PROJECT'], socketName(env['INTERMUTE_SOCKET'] ?? '')];
  // The state directory is in the common git directory, or in the root itself.
  const home = repo.state_dir.replace(/\/(?:\.git\/guard|\.guard)$/, '');
  const own = basename(home === repo.state_dir ? repo.root : home);
  return named.find((name) => (name ?? '') !== '') ?? own;
}

/** A socket named after its server is shared by all projects, and names none. */
const SERVERS = ['', 'intermute', 'interlock', 'guard'];

function socketName(path: string): string | undefined {
  const name = basename(path, extname(path));
  return SERVERS.includes(name) ? undefined : name;
}

/** A query may name a project; another one has nothing here. In no schema, because one ledger is one project. */
export const ofProject = {
  project: { ...optional(label('A label: one ledger is one project')), is_hidden: true as const },
};

/** True for a query about this project, or without a project. */
export const isHere = (workspace: Named, project: string | undefined): boolean =>
  project === undefined || project === '' || project === projectOf(workspace);
