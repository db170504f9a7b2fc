/** Lets a clone use a ledger that machines share, whose repository is ready. */
import { GuardError } from '../../core/error.ts';
import { nameClone } from '../../install/clone-name.ts';
import { forgetName } from '../../repo/forget-name.ts';
import { readInstall, writeInstall } from '../../repo/install.ts';
import type { Repo } from '../../repo/locate.ts';
import { lateNames } from '../../store/late/late-file.ts';
import type { Surroundings } from '../../workspace/workspace.ts';
import { workspaceAround } from '../workspace.ts';
import { closeOwn, ownEnd, reopenOwn } from './own-ledger.ts';
import { requireQuiet } from './quiet.ts';

export const fleetRefusal = (message: string, hint: string): GuardError =>
  new GuardError('GUARD_ERR_FLEET', message, hint);

/** What remains to be run for init or join, once the repository has its name. */
const AGAIN = 'guard fleet join';

/** Undone if agents began meanwhile, or if the engine does not answer. @param tip the own ledger's tip when it was checked */
export function moveClone(
  repo: Repo,
  { repository, tip }: { readonly repository: string; readonly tip: number },
  around: Surroundings,
): string {
  const before = readInstall(repo.state_dir);
  let isClosed = false;
  const own = workspaceAround(around);
  const clone = nameClone(repo);
  const end = ownEnd(repo.state_dir);
  writeInstall(repo.state_dir, { ...before, v: 2, shared_as: repository, alone: false });
  try {
    // New arrivals look there from now on, and whoever looked here before is refused once the ledger is closed.
    const isQuiet = requireQuiet(own, AGAIN) === tip && lateNames(own.state_dir).length === 0;
    isClosed = isQuiet && closeOwn(repo.state_dir, end);
    if (!isClosed) throw fleetRefusal('Agents were at work here meanwhile.', `Run "${AGAIN}".`);
    const space = workspaceAround(around);
    try {
      space.run({ type: 'machine.beat' });
    } finally {
      space.close();
    }
    return clone;
  } catch (error) {
    if (isClosed) reopenOwn(repo.state_dir);
    writeInstall(repo.state_dir, before);
    forgetName(repo.state_dir);
    throw error;
  } finally {
    own.close();
  }
}
