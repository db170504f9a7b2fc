import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What a checkout may stand in the middle of, as the command is called that began it. */
export type Midway = 'rebase' | 'am' | 'merge' | 'cherry-pick' | 'revert' | 'bisect';

/** What git leaves in a checkout's own git directory while it waits for `--continue`. */
const FILES: readonly (readonly [file: string, operation: Midway])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

/**
 * @param git_dir of the checkout itself
 * @returns by which file git knows it, and what it is; null: nothing.
 */
export const midwayIn = (git_dir: string): readonly [file: string, operation: Midway] | null =>
  FILES.find(([file]) => existsSync(join(git_dir, file))) ?? null;
