/** How a judged file is named in what is said about it. */
import type { Facts, RepoPath } from './types.ts';

/** A target as messages show it: absolute path for programs, short path for the commands. */
export interface ShownFile {
  readonly abs: string;
  readonly path: RepoPath;
  readonly guard: string;
  readonly lock_tool?: string | null;
}

/** What guard is called here is looked up when a message says it, which most judgements never do. */
export const shownAt = (
  abs: string,
  path: RepoPath,
  facts: Pick<Facts, 'guard_command' | 'lock_tool'>,
): ShownFile => ({
  abs,
  path,
  get guard() {
    return facts.guard_command;
  },
  get lock_tool() {
    return facts.lock_tool ?? null;
  },
});
