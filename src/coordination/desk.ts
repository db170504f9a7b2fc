/** Where one agent reserves, writes and answers. The command line and the MCP server sit at the same one. */
import { basename } from 'node:path';
import type { LockLedger } from '../locks/ledger.ts';
import type { Who } from '../core/rules/agent.ts';

export interface Desk {
  readonly ledger: LockLedger;
  readonly who: Who;
  /** A label: one ledger is one project. */
  readonly project: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** GUARD_PROJECT, INTERLOCK_PROJECT, else what the repository's directory is called; the same in every worktree. */
export function projectOf({ repo }: Pick<LockLedger, 'repo'>, env: Environment): string {
  const named = [env['GUARD_PROJECT'], env['INTERLOCK_PROJECT']].find((name) => (name ?? '') !== '');
  // The state directory is in the common git directory, or in the root itself.
  const home = repo.state_dir.replace(/\/(?:\.git\/guard|\.guard)$/, '');
  return named ?? basename(home === repo.state_dir ? repo.root : home);
}

/** True for a question about this project, or about none. */
export const isHere = (desk: Desk, project: string | undefined): boolean =>
  project === undefined || project === '' || project === desk.project;
