// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** DEADLOCK: a write to a file of a cycle by the agent that was chosen to give way. */
import type { Objection } from '../denial.ts';
import { deadlockDenial } from '../deadlock-words.ts';
import { shownAt } from '../shown.ts';
import { isTogether, leaseIn } from '../lease-scope.ts';
import { isShadow } from '../shadow.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts, RepoPath } from '../types.ts';
import { checkoutAt, pathIn } from '../worktrees.ts';
import { type Deadlock, standing } from './deadlock.ts';
import { edgesOf } from './wait-graph.ts';

interface Target {
  readonly path: RepoPath;
  readonly abs: string;
}

/** Only while the others still wait. A deadlock that involves a foreign lock server never denies a write. */
export function deadlockObjections(
  changes: Changes,
  agent: AgentId,
  targets: readonly Target[],
  facts: Facts,
): Objection[] {
  const verdicts = changes.wait(agent).verdicts ?? [];
  const members = [...new Set(verdicts.flatMap(({ cycle }) => cycle.map(({ from }) => from)))];
  const edges = members.flatMap((id) => edgesOf(changes, id, facts)).filter(({ kind }) => kind === 'wait');
  const deadlocks = standing(changes, agent, edges, facts).filter(
    (dead) =>
      dead.resolve !== 'release' && dead.release.length > 0 && !dead.cycle.some(({ path }) => isShadow(path)),
  );
  return targets.flatMap((target) => objectionTo(changes, target, deadlocks, facts));
}

function objectionTo(
  changes: Changes,
  target: Target,
  deadlocks: readonly Deadlock[],
  facts: Facts,
): Objection[] {
  const own = leaseIn(changes, target.path);
  const dead = deadlocks.find(({ cycle }) => cycle.some(({ path }) => path === own));
  if (dead === undefined) return [];
  // If leases count in all checkouts, paths are named as in the checkout in which the agent writes.
  const here = (path: RepoPath): RepoPath =>
    isTogether(changes) ? pathIn(checkoutAt(target.path), path) : path;
  const spell = (path: RepoPath): string => facts.spelled?.(here(path)) ?? path;
  return [deadlockDenial(shownAt(target.abs, target.path, facts), dead, spell)];
}
