/** How a checked file is named in messages. */
import type { Facts, RepoPath } from './types.ts';

/** A target as messages show it: the absolute path for programs, the short path for commands. */
export interface ShownFile {
  readonly abs: string;
  readonly path: RepoPath;
  readonly guard: string;
  readonly lock_tool?: string | null;
}

/** How guard is called here is looked up only when a message needs it, which is rare. */
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
