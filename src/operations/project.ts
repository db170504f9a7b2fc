/** What a repository is called: a label, since one ledger is one project. */
import { basename, extname } from 'node:path';
import type { Workspace } from '../workspace/workspace.ts';
import { label, optional } from './field.ts';

type Named = Pick<Workspace, 'repo' | 'env'>;

/**
 * GUARD_PROJECT, INTERLOCK_PROJECT, the name of the socket in INTERMUTE_SOCKET, else what the repository's directory is
 * called; the same in every worktree.
 */
export function projectOf({ repo, env }: Named): string {
  const named = [env['GUARD_PROJECT'], env['INTERLOCK_PROJECT'], socketName(env['INTERMUTE_SOCKET'] ?? '')];
  // The state directory is in the common git directory, or in the root itself.
  const home = repo.state_dir.replace(/\/(?:\.git\/guard|\.guard)$/, '');
  const own = basename(home === repo.state_dir ? repo.root : home);
  return named.find((name) => (name ?? '') !== '') ?? own;
}

/** A socket that is called after its server is one for every project, and names none. */
const SERVERS = ['', 'intermute', 'interlock', 'guard'];

function socketName(path: string): string | undefined {
  const name = basename(path, extname(path));
  return SERVERS.includes(name) ? undefined : name;
}

/** What a question may name: of another project there is nothing here. In no schema: one ledger is one project. */
export const ofProject = {
  project: { ...optional(label('A label: one ledger is one project')), is_hidden: true as const },
};

/** True for a question about this project, or about none. */
export const isHere = (workspace: Named, project: string | undefined): boolean =>
  project === undefined || project === '' || project === projectOf(workspace);
