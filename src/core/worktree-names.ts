/** What a worktree is called, as the client calls its own (2.1.330, measured): directory, branch and the reason of its lock. */
import type { ProcessMark } from './types.ts';

export interface WorktreeNames {
  /** Relative to the main checkout. */
  readonly dir: string;
  readonly branch: string;
}

const NAME = /^[A-Za-z0-9_.+@][\w.+@-]*(?:\/[A-Za-z0-9_.+@][\w.+@-]*)*$/;
const CHARS_MAX = 200;
/** What git takes for no branch (git-check-ref-format(1)), and what leads to another directory. */
const REFUSED = /(?:^|\/)\.{1,2}(?:\/|$)|\.\.|@\{|\.lock(?:\/|$)|\.$/;

/** Null: nothing can be called so. */
export function worktreeNames(name: string): WorktreeNames | null {
  if (name.length > CHARS_MAX || !NAME.test(name) || REFUSED.test(name)) return null;
  const flat = name.replaceAll('/', '+');
  return { dir: `.claude/worktrees/${flat}`, branch: `worktree-${flat}` };
}

/** A subagent's worktree bears its agent's id: `agent-<id>`. Null: it is a session's. */
export const agentOfWorktree = (name: string): string | null => /^agent-(\w+)$/.exec(name)?.[1] ?? null;

export const lockReason = (name: string, { pid, start }: Pick<ProcessMark, 'pid' | 'start'>): string =>
  `claude ${agentOfWorktree(name) === null ? 'session' : 'agent'} ${name} (pid ${pid} start ${start})`;
