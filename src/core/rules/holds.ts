/** The one way to change who holds a path: its state and the index keys of its holders are one change. */
import { leasesBelow } from '../keys.ts';
import type { Key } from '../ledger.ts';
import type { Draft } from '../states.ts';
import type { Hold, PathState, RepoPath } from '../types.ts';

/** Of each hold on a path. */
export const heldKeys = (path: RepoPath, holds: readonly Hold[]): Key[] =>
  holds.map(({ agent, epoch }) => leasesBelow(agent, epoch) + path);

export function setHolds(draft: Draft, path: RepoPath, state: PathState): void {
  const before = heldKeys(path, draft.path(path).holds);
  const after = heldKeys(path, state.holds);
  for (const key of before) if (!after.includes(key)) draft.set(key, null);
  for (const key of after) if (!before.includes(key)) draft.set(key, {});
  draft.setPath(path, state);
}
