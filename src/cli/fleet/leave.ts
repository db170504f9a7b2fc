/** Moves a clone from a ledger that machines share back to one of its own. */
import { attempt } from '../../core/attempt.ts';
import { readNow } from '../../repo/clock.ts';
import { holderName } from '../../repo/clones.ts';
import { forgetName } from '../../repo/forget-name.ts';
import { readInstall, writeInstall } from '../../repo/install.ts';
import type { Repo } from '../../repo/locate.ts';
import { unjoined } from '../../repo/require-joined.ts';
import { takeUpBehind } from '../../install/adopt-copies.ts';
import type { Lsn } from '../../core/ledger.ts';
import { openStore } from '../../store/open.ts';
import type { Surroundings, Workspace } from '../../workspace/workspace.ts';
import { workspaceAround } from '../workspace.ts';
import { notShared } from './move.ts';
import { oneMove } from './one-move.ts';
import { reopenOwn } from './own-ledger.ts';
import { requireQuiet } from './quiet.ts';

/** More than an engine can have granted since this clone joined: 256 restores (2^32 each), 25 years of 1,000 records a second. */
const UNASKED = 2 ** 40 + 2 ** 40;

/**
 * Also for a clone that never joined, whose person wants to work alone. Everything that this machine's agents held in the shared ledger ends; the own ledger's tokens exceed all granted there.
 * @param asks false if the engine is gone for good: no one checks who is at work, and others notice after a `ttl`
 * @throws GuardError GUARD_ERR_FLEET while agents of this machine are at work
 */
export function leaveFleet(around: Surroundings, repo: Repo, asks: boolean): void {
  oneMove(repo.state_dir, () => leaveAlone(around, repo, asks));
}

function leaveAlone(around: Surroundings, repo: Repo, asks: boolean): void {
  const { state_dir } = repo;
  const { shared_as, ...own } = readInstall(state_dir);
  if (unjoined(repo) !== null) {
    writeInstall(state_dir, { ...own, alone: true });
    return;
  }
  if (shared_as === undefined && holderName(repo) === '') throw notShared('There is nothing to leave.');
  if (shared_as === undefined) {
    leaveName(around, state_dir);
    return;
  }
  const space = asks ? workspaceAround(around) : null;
  try {
    const tip = space && leftBehind(space);
    reopenOwn(state_dir);
    takeUpBehind(tip ?? ownTip(state_dir) + UNASKED, state_dir, around.env);
    writeInstall(state_dir, { ...own, v: 1, alone: true });
    // For agents that were granted something there meanwhile; later ones are refused (workspace/still-shared.ts).
    attempt(() => space?.run({ type: 'machine.leave' }), undefined);
  } finally {
    space?.close();
  }
  forgetName(state_dir);
}

/** After a crash halfway into or out of a shared ledger, only the name is left. */
function leaveName(around: Surroundings, state_dir: string): void {
  const space = workspaceAround(around);
  try {
    // Agents at work here would continue under another name.
    requireQuiet(space, 'guard fleet leave');
    forgetName(state_dir);
  } finally {
    space.close();
  }
}

function leftBehind(space: Workspace): Lsn {
  requireQuiet(space, 'guard fleet leave');
  space.run({ type: 'machine.leave' });
  return space.store.tip();
}

function ownTip(dir: string): Lsn {
  const store = openStore({ dir, now: readNow });
  try {
    return store.tip();
  } finally {
    store.close();
  }
}
