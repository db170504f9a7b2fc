import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The operations that a checkout may be in the middle of, named like the command that started them. */
export type Midway = 'rebase' | 'am' | 'merge' | 'cherry-pick' | 'revert' | 'bisect';

/** The files that git leaves in a checkout's own git directory while it waits for `--continue`. */
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
 * @returns the file by which git recognises the operation, and the operation; null: none is in progress
 */
export const midwayIn = (git_dir: string): readonly [file: string, operation: Midway] | null =>
  FILES.find(([file]) => existsSync(join(git_dir, file))) ?? null;
