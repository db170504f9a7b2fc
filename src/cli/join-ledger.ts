/** `guard init --join DIR` and `guard init --leave`. */
import { GuardError } from '../core/error.ts';
import { hasLedgerAside, joinLedger, leaveLedger } from '../install/shared-ledger.ts';
import { readNow } from '../repo/clock.ts';
import { readInstall } from '../repo/install.ts';
import { isBelieved } from '../repo/known/belief.ts';
import type { Repo } from '../repo/locate.ts';
import { repoHere } from './command-place.ts';
import { joinRefused, requireIdle } from './join-idle.ts';
import { type JoinPlan, planJoin } from './join-plan.ts';
import { requirePerson } from './require-person.ts';
import type { Shell } from './shell.ts';

interface Sharing {
  readonly join?: string;
  readonly leave?: true;
  readonly preset?: string;
  readonly dryRun?: true;
}

/**
 * Leaving happens before the rest of `guard init`, joining after it: the returned function joins, and returns notes.
 * @throws GuardError GUARD_ERR_JOIN, naming the obstacle; nothing was changed
 */
export function sharingFor(
  { join: given, leave: isLeaving, preset, dryRun }: Sharing,
  shell: Shell,
): (own: Repo) => readonly string[] {
  const repo = repoHere(shell);
  if (given !== undefined && isLeaving === true)
    throw new GuardError('GUARD_ERR_USAGE', 'Either --join or --leave.', 'Leave first, then join the other.');
  if (preset !== undefined && repo.joined !== undefined && isLeaving !== true)
    throw joinRefused(
      `${repo.root} shares the ledger of ${repo.joined.holder}, and its rules.`,
      `Run there: guard init --preset ${preset}`,
    );
  if (given === undefined && isLeaving === undefined) return () => [];
  requirePerson(`guard init --${isLeaving === true ? 'leave' : 'join'}`, shell.env);
  if (isLeaving === true) {
    const left = leave(repo, shell, dryRun === true);
    return () => [left];
  }
  const plan = planJoin(repo, given ?? '', shell);
  return (own) => (plan.is_done ? [] : join(own, plan));
}

/** Runs after `guard init` has set the clone up. */
function join(own: Repo, { ledger, notes }: JoinPlan): readonly string[] {
  const [mine, theirs] = [readInstall(own.state_dir), readInstall(ledger.state_dir)];
  if (mine.case_fold !== theirs.case_fold || mine.unicode_fold !== theirs.unicode_fold)
    throw joinRefused(
      `The file systems of ${own.root} and ${ledger.root} do not distinguish the same names.`,
      'Keep both clones on file systems of one kind.',
    );
  const id = joinLedger(own, ledger, readNow());
  return [
    ...notes,
    `${own.root} shares the ledger of ${ledger.root} now, as ${id}: its files are //${id}/… there.`,
    'Its previous ledger is kept; "guard init --leave" restores it.',
  ];
}

/** Refused while someone is at work in the clone. */
function leave(repo: Repo, shell: Shell, is_dry: boolean): string {
  const { joined } = repo;
  if (joined === undefined && !hasLedgerAside(repo))
    throw joinRefused(`${repo.root} shares no other clone's ledger.`, 'There is nothing to leave.');
  if (joined !== undefined && joined.fault === undefined && isBelieved(repo, shell.env))
    requireIdle(repo, shell, 'leave its ledger');
  if (!is_dry) leaveLedger(repo);
  return `${repo.root} has its own ledger again. What was done meanwhile stays in the other.`;
}
