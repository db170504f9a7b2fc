/** Who works in a linked worktree, as the ledger keeps it: `worktree:<id>`. */
import type { Json, Key } from './ledger.ts';
import type { AgentId, Now, RepoPath } from './types.ts';

export interface WorktreeAgents {
  /** Whoever began there, or locked a file of it. Those that are gone stay until the next one comes. */
  readonly agents: readonly AgentId[];
  /** When somebody came last: forgotten 30 days later. */
  readonly at: Now;
}

export const WORKTREES = 'worktree:';
export const worktreeKey = (worktree: string): Key => `${WORKTREES}${worktree}`;

export const asWorktreeAgents = (state: Json | undefined): WorktreeAgents | undefined =>
  (state as WorktreeAgents | null | undefined) ?? undefined;

/** The linked worktrees that these paths are in. */
export const worktreesOf = (paths: readonly RepoPath[]): readonly string[] => [
  ...new Set(paths.flatMap((path) => /^\/\/([^/]+)\//.exec(path)?.[1] ?? [])),
];
