/** The only way to change a path's holders: the path's state and its holders' index keys change together. */
import { leasesBelow } from '../keys.ts';
import { leaseIn } from '../lease-scope.ts';
import type { Key } from '../ledger.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Hold, PathState, RepoPath } from '../types.ts';

/** The index key of each hold on a path. */
export const heldKeys = (path: RepoPath, holds: readonly Pick<Hold, 'agent' | 'epoch'>[]): Key[] =>
  holds.map(({ agent, epoch }) => leasesBelow(agent, epoch) + path);

export function setHolds(changes: Changes, path: RepoPath, state: PathState): void {
  const before = heldKeys(path, changes.path(path).holds);
  const after = heldKeys(path, state.holds);
  for (const key of before) if (!after.includes(key)) changes.set(key, null);
  for (const key of after) if (!before.includes(key)) changes.set(key, {});
  changes.setPath(path, state);
}

/** Removes the agent's lease on the path and its place in the queue. */
export function dropHolds(changes: Changes, given: RepoPath, agent: AgentId): void {
  const path = leaseIn(changes, given);
  const state = changes.path(path);
  const isOther = (one: { readonly agent: AgentId }): boolean => one.agent !== agent;
  setHolds(changes, path, {
    ...state,
    holds: state.holds.filter(isOther),
    queue: state.queue.filter(isOther),
  });
}
