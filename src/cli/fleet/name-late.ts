/** For a clone that an older guard moved to a shared ledger, and that therefore has no name there yet. */
import { nameClone } from '../../install/clone-name.ts';
import { holderName } from '../../repo/clones.ts';
import { readInstall } from '../../repo/install.ts';
import type { Repo } from '../../repo/locate.ts';
import type { Surroundings } from '../../workspace/workspace.ts';
import { workspaceAround } from '../workspace.ts';
import { requireQuiet } from './quiet.ts';

export interface NamedLate {
  readonly repository: string;
  readonly clone: string;
}

/** `null` if it has one, or its ledger is not shared. @throws GuardError GUARD_ERR_FLEET while agents of this machine work */
export function nameLate(around: Surroundings, repo: Repo): NamedLate | null {
  const { shared_as: repository } = readInstall(repo.state_dir);
  if (repository === undefined || holderName(repo) !== '') return null;
  const space = workspaceAround(around);
  try {
    // Agents at work here would continue under another name.
    requireQuiet(space, 'guard fleet join');
    return { repository, clone: nameClone(repo) };
  } finally {
    space.close();
  }
}
