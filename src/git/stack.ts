/** The stash as git stores it: the reflog of refs/stash, with the newest entry last. All worktrees share one stack. */
import { join } from 'node:path';
import { textOf } from '../repo/small-file.ts';

export interface StashEntry {
  /** Id of its commit. */
  readonly id: string;
  /** The branch of the checkout in which it was made, according to its message; null: none, or a custom message. */
  readonly branch: string | null;
}

const MOST_BYTES = 1 << 20;

/** Newest first, like the numbers of `stash@{0}`. */
export function stackOf(common_dir: string): readonly StashEntry[] {
  const lines = (textOf(join(common_dir, 'logs', 'refs', 'stash'), MOST_BYTES) ?? '').split('\n');
  return lines.flatMap((line) => entryOf(line)).reverse();
}

function entryOf(line: string): readonly StashEntry[] {
  const [, id, message = ''] = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) [^\t]*(?:\t(.*))?$/.exec(line) ?? [];
  if (id === undefined) return [];
  const [, branch] = /^(?:WIP on|On) ([^:]+):/.exec(message) ?? [];
  return [{ id, branch: branch === undefined || branch === '(no branch)' ? null : branch }];
}
