/** How a worktree is named, as the client names its own (2.1.330, measured): directory, branch and lock reason. */
import type { ProcessMark } from './types.ts';

export interface WorktreeNames {
  /** Relative to the main checkout. */
  readonly dir: string;
  readonly branch: string;
}

const NAME = /^[A-Za-z0-9_.+@][\w.+@-]*(?:\/[A-Za-z0-9_.+@][\w.+@-]*)*$/;
const CHARS_MAX = 200;
/** What git rejects in a branch name (git-check-ref-format(1)), and what leads to another directory. */
const REFUSED = /(?:^|\/)\.{1,2}(?:\/|$)|\.\.|@\{|\.lock(?:\/|$)|\.$/;

/** `null` if the name is not allowed. */
export function worktreeNames(name: string): WorktreeNames | null {
  if (name.length > CHARS_MAX || !NAME.test(name) || REFUSED.test(name)) return null;
  const flat = name.replaceAll('/', '+');
  return { dir: `.claude/worktrees/${flat}`, branch: `worktree-${flat}` };
}

/** A subagent's worktree is named after its agent's id: `agent-<id>`. `null` if it is a session's. */
export const agentOfWorktree = (name: string): string | null => /^agent-(\w+)$/.exec(name)?.[1] ?? null;

export const lockReason = (name: string, { pid, start }: Pick<ProcessMark, 'pid' | 'start'>): string =>
  `claude ${agentOfWorktree(name) === null ? 'session' : 'agent'} ${name} (pid ${pid} start ${start})`;
