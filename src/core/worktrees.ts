/** Who works in a linked worktree, as the ledger keeps it: `worktree:<id>`. */
import type { Json, Key } from './ledger.ts';
import type { Changes } from './states.ts';
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
  ...new Set(paths.map(checkoutAt).filter((id) => id !== '')),
];

/** State of `checkouts:`: the linked worktrees in which anybody locked, wrote or began, and when that was noted last. */
export type CheckoutsState = Readonly<Record<string, number>>;
export const CHECKOUTS: Key = 'checkouts:';
export const asCheckouts = (state: Json | undefined): CheckoutsState =>
  (state as CheckoutsState | null | undefined) ?? {};

/** '' is the main checkout. */
export const checkoutAt = (path: RepoPath): string => /^\/\/([^/]+)\//.exec(path)?.[1] ?? '';
/** @param path of the main checkout */
export const pathIn = (checkout: string, path: RepoPath): RepoPath =>
  checkout === '' || /^[/@]/.test(path) ? path : `//${checkout}/${path}`;

/** Whether any of these files may be in another checkout, too. */
export const mayBeElsewhere = (changes: Pick<Changes, 'get'>, paths: readonly RepoPath[]): boolean =>
  Boolean(changes.get(CHECKOUTS)) || paths.some(isLinked);
export const isLinked = (path: RepoPath): boolean => path.startsWith('//');

/** Those in which a file may be held or written, the main one among them. */
export const checkoutsIn = (changes: Pick<Changes, 'get'>): readonly string[] => [
  '',
  ...Object.keys(asCheckouts(changes.get(CHECKOUTS))),
];

/** What an agent was told of other checkouts, so that it is told once. */
export interface ToldState {
  /** Each a path, an agent, and what it did; the newest. */
  readonly tags: readonly string[];
  readonly at: Now;
}
export const TOLD = 'told:';
export const toldKey = (agent: AgentId): Key => `${TOLD}${agent}`;
export const asTold = (state: Json | undefined): ToldState | undefined =>
  (state as ToldState | null | undefined) ?? undefined;
