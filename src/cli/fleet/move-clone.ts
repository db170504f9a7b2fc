/** Lets a clone use a ledger that machines share, whose repository is ready. */
import { GuardError } from '../../core/error.ts';
import { nameClone } from '../../install/clone-name.ts';
import { forgetName } from '../../repo/forget-name.ts';
import { readInstall, writeInstall } from '../../repo/install.ts';
import type { Repo } from '../../repo/locate.ts';
import { lateNames } from '../../store/late/late-file.ts';
import type { Surroundings } from '../../workspace/workspace.ts';
import { workspaceAround } from '../workspace.ts';
import { oneMove } from './one-move.ts';
import { closeOwn, ownEnd, reopenOwn } from './own-ledger.ts';
import { requireQuiet } from './quiet.ts';

export const fleetRefusal = (message: string, hint: string): GuardError =>
  new GuardError('GUARD_ERR_FLEET', message, hint);

/** What remains to be run for init or join, once the repository has its name. */
const AGAIN = 'guard fleet join';

interface MovedTo {
  readonly repository: string;
  /** That of the own ledger when it was checked. */
  readonly tip: number;
}

export const alreadyShared = (shared_as: string): GuardError =>
  fleetRefusal(`The ledger here is shared, as ${shared_as}.`, 'See "guard fleet status".');

/** Undone if agents began meanwhile, or if the engine does not answer. */
export function moveClone(repo: Repo, to: MovedTo, around: Surroundings): string {
  let clone = '';
  oneMove(repo.state_dir, () => {
    clone = moveAlone(repo, to, around);
  });
  return clone;
}

function moveAlone(repo: Repo, { repository, tip }: MovedTo, around: Surroundings): string {
  const before = readInstall(repo.state_dir);
  // Another one was faster. What it did must not be undone.
  if (before.shared_as !== undefined) throw alreadyShared(before.shared_as);
  let isClosed = false;
  const own = workspaceAround(around);
  const clone = nameClone(repo);
  const end = ownEnd(repo.state_dir);
  writeInstall(repo.state_dir, { ...before, v: 2, shared_as: repository, alone: false });
  try {
    // New processes use that ledger from now on, and those that began with this one are refused once it is closed.
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
