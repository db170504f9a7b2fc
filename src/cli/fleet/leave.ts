/** Out of a ledger that machines share, back into the one of this machine's own. */
import { readNow } from '../../repo/clock.ts';
import { holderName } from '../../repo/clones.ts';
import { forgetName } from '../../repo/forget-name.ts';
import { readInstall, writeInstall } from '../../repo/install.ts';
import type { Repo } from '../../repo/locate.ts';
import { takeUpBehind } from '../../install/adopt-copies.ts';
import type { Lsn } from '../../core/ledger.ts';
import { openStore } from '../../store/open.ts';
import type { Surroundings } from '../../workspace/workspace.ts';
import { workspaceAround } from '../workspace.ts';
import { notShared } from './move.ts';
import { requireQuiet } from './quiet.ts';

/** More than an engine may have given out since this clone came, after 256 restores (2^32 each) and a thousand records a second for 25 years. */
const UNASKED = 2 ** 40 + 2 ** 40;

/**
 * What this machine's agents held in the shared ledger ends; tokens of the own ledger are larger than any that were given out there.
 * @param asks false: the engine is gone for good. Nobody is asked who is at work, and others find out by themselves, after a `ttl`
 * @throws GuardError GUARD_ERR_FLEET while agents of this machine are at work
 */
export function leaveFleet(around: Surroundings, repo: Repo, asks: boolean): void {
  const { state_dir } = repo;
  const { shared_as, ...own } = readInstall(state_dir);
  if (shared_as === undefined && holderName(repo) === '') throw notShared('There is nothing to leave.');
  if (shared_as === undefined) {
    leaveName(around, state_dir);
    return;
  }
  takeUpBehind(asks ? leftBehind(around) : ownTip(state_dir) + UNASKED, state_dir, around.env);
  writeInstall(state_dir, { ...own, v: 1 });
  forgetName(state_dir);
}

/** Killed half way into a shared ledger, or out of it: only the name is left. */
function leaveName(around: Surroundings, state_dir: string): void {
  const space = workspaceAround(around);
  try {
    // Whoever works here would go on under another name.
    requireQuiet(space, 'guard fleet leave');
    forgetName(state_dir);
  } finally {
    space.close();
  }
}

function leftBehind(around: Surroundings): Lsn {
  const space = workspaceAround(around);
  try {
    requireQuiet(space, 'guard fleet leave');
    space.run({ type: 'machine.leave' });
    return space.store.tip();
  } finally {
    space.close();
  }
}

function ownTip(dir: string): Lsn {
  const store = openStore({ dir, now: readNow });
  try {
    return store.tip();
  } finally {
    store.close();
  }
}
