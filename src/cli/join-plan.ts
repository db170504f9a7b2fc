/** Which ledger a clone is to share, and what prevents that. Changes nothing. */
import { dirname, resolve } from 'node:path';
import { ifAllowed } from '../core/attempt.ts';
import { shellWord } from '../core/shell-word.ts';
import { hasLedger } from '../install/kept-state.ts';
import { isSameOrigin } from '../install/same-origin.ts';
import { isClone, type SharedLedger } from '../install/shared-ledger.ts';
import { cloneIds, cloneIn, ledgerHolder, ownPlace } from '../repo/clones.ts';
import { readInstall } from '../repo/install.ts';
import { isBelieved, requireBelieved } from '../repo/known/belief.ts';
import { locateRepo, type Repo } from '../repo/locate.ts';
import { mainRoot } from '../repo/main-root.ts';
import { joinRefused, requireIdle } from './join-idle.ts';
import type { Shell } from './shell.ts';

export interface JoinPlan {
  readonly ledger: SharedLedger;
  readonly is_done: boolean;
  readonly notes: readonly string[];
}

/** @throws GuardError GUARD_ERR_JOIN */
export function planJoin(repo: Repo, given: string, shell: Shell): JoinPlan {
  const dir = resolve(shell.cwd, given);
  const ledger = ledgerAt(dir, shell);
  const own = ownPlace(repo);
  if (own.common_dir === null || own.kind !== 'git')
    throw joinRefused(
      `${own.root} is not a clone: it has no git directory.`,
      'Only clones of the same origin share a ledger.',
    );
  if (ledger.common_dir === own.common_dir)
    throw joinRefused(`${dir} has the ledger of ${own.root} itself.`, 'Name another clone.');
  const { joined } = repo;
  if (joined !== undefined && joined.fault === undefined) {
    if (repo.state_dir === ledger.state_dir) return { ledger, is_done: true, notes: [] };
    throw joinRefused(
      `${own.root} shares the ledger of ${joined.holder} already.`,
      'Run first: guard init --leave',
    );
  }
  requireNoClones(own, 'shares its ledger');
  if (own.initialised && ifAllowed(() => readInstall(own.state_dir).shared_as, undefined) !== undefined)
    throw joinRefused(`${own.root} shares its ledger with other machines.`, 'Run first: guard fleet leave');
  const same = isSameOrigin({ root: own.root, common_dir: own.common_dir }, ledger);
  if (same === false)
    throw joinRefused(
      `${own.root} and ${ledger.root} have no first commit in common.`,
      'Only clones of the same origin share a ledger: paths have to mean the same files.',
    );
  if (own.initialised && joined === undefined && isBelieved(own, shell.env) && hasLedger(own))
    requireIdle(own, shell, 'join another ledger');
  const unsure = `It is unknown whether ${own.root} and ${ledger.root} are clones of the same origin: one is shallow, or has no commit.`;
  return { ledger, is_done: false, notes: same === null ? [unsure] : [] };
}

/** Where DIR's records are: in its own ledger, or in one that it has joined. */
function ledgerAt(dir: string, { env }: Shell): SharedLedger {
  const there = locateRepo(dir, env);
  const holder = ledgerHolder(there);
  if (there.kind !== 'git' || holder === null)
    throw joinRefused(`${dir} is not in a clone.`, 'Name the directory of another clone on this machine.');
  if (!there.initialised)
    throw joinRefused(
      `${there.root} is not set up for guard.`,
      `Run first: cd ${shellWord(there.root)} && guard init`,
    );
  requireBelieved(there, env);
  const root = there.joined === undefined ? mainRoot(there) : dirname(holder);
  return { state_dir: there.state_dir, common_dir: holder, root };
}

/** @throws GuardError GUARD_ERR_JOIN if other clones would lose their ledger */
export function requireNoClones({ state_dir, root }: Repo, what: string): void {
  const clones = cloneIds(state_dir).flatMap((id) => {
    const known = cloneIn(state_dir, id);
    return known !== null && isClone(known.common_dir, id) ? [known.root] : [];
  });
  if (clones.length === 0) return;
  const dirs = clones.map(shellWord);
  throw joinRefused(
    `${root} ${what} with ${clones.join(', ')}.`,
    `Run first, in each of them: guard init --leave (${dirs.map((dir) => `cd ${dir}`).join('; ')})`,
  );
}
