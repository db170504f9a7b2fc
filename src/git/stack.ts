/** The stash as git keeps it: the reflog of refs/stash, the newest entry last. One stack for all worktrees. */
import { join } from 'node:path';
import { textOf } from '../repo/small-file.ts';

export interface StashEntry {
  /** Its commit. */
  readonly id: string;
  /** Of the checkout that it was made in, as its message says; null: of none, or the message is another. */
  readonly branch: string | null;
}

const MOST_BYTES = 1 << 20;

/** The newest first, as `stash@{0}` counts. */
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
