/** The agents at work in a linked worktree, as the ledger keeps them: `worktree:<id>`. */
import type { Json, Key } from './ledger.ts';
import type { Changes } from './states.ts';
import type { AgentId, Now, RepoPath } from './types.ts';

export interface WorktreeAgents {
  /** The agents that began there or locked a file in it. Gone agents are removed when the next one arrives. */
  readonly agents: readonly AgentId[];
  /** When an agent last arrived; forgotten 30 days later. */
  readonly at: Now;
}

const WORKTREES = 'worktree:';
export const worktreeKey = (worktree: string): Key => `${WORKTREES}${worktree}`;

export const asWorktreeAgents = (state: Json | undefined): WorktreeAgents | undefined =>
  (state as WorktreeAgents | null | undefined) ?? undefined;

/** The linked worktrees that contain these paths. */
export const worktreesOf = (paths: readonly RepoPath[]): readonly string[] => [
  ...new Set(paths.map(checkoutAt).filter((id) => id !== '')),
];

/** State of `checkouts:`: linked worktrees in which an agent locked, wrote or began, and when that was last noted. */
export type CheckoutsState = Readonly<Record<string, number>>;
export const CHECKOUTS: Key = 'checkouts:';
export const asCheckouts = (state: Json | undefined): CheckoutsState =>
  (state as CheckoutsState | null | undefined) ?? {};

/** '' is the main checkout. */
export const checkoutAt = (path: RepoPath): string => /^\/\/([^/]+)\//.exec(path)?.[1] ?? '';
/** @param path of the main checkout */
export const pathIn = (checkout: string, path: RepoPath): RepoPath =>
  checkout === '' || /^[/@]/.test(path) ? path : `//${checkout}/${path}`;

/** Whether any of these files may exist in another checkout too. */
export const mayBeElsewhere = (changes: Pick<Changes, 'get'>, paths: readonly RepoPath[]): boolean =>
  Boolean(changes.get(CHECKOUTS)) || paths.some(isLinked);
export const isLinked = (path: RepoPath): boolean => path.startsWith('//');

/** The checkouts in which a file may be held or written, including the main one. */
export const checkoutsIn = (changes: Pick<Changes, 'get'>): readonly string[] => [
  '',
  ...Object.keys(asCheckouts(changes.get(CHECKOUTS))),
];

/** What an agent was told about other checkouts, so that nothing is repeated. */
export interface ToldState {
  /** The newest tags; each is made of a path, an agent and what it did. */
  readonly tags: readonly string[];
  readonly at: Now;
}
const TOLD = 'told:';
export const toldKey = (agent: AgentId): Key => `${TOLD}${agent}`;
export const asTold = (state: Json | undefined): ToldState | undefined =>
  (state as ToldState | null | undefined) ?? undefined;
