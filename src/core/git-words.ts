/** The texts about git actions that no list of files describes. Hooks load this file only when they need one. */
import type { Objection } from './denial.ts';
import type { AgentId } from './types.ts';

const SHOWN = 8;

export interface TakenEntry {
  /** As it is typed: `stash@{0}`. */
  readonly entry: string;
  readonly id: string;
  readonly owner: AgentId;
  readonly branch: string | null;
}

/** Stash entries of another live agent. `own`: one of the caller's entries, as it is typed. */
export function stashOfOthers(
  source: string,
  verb: string,
  taken: readonly TakenEntry[],
  own: string | null,
): Objection {
  const many = taken.length === 1 ? 'An entry' : `${String(taken.length)} entries`;
  const first = own === null ? 'You have no entry on the stash: leave it' : insteadOf(verb, own);
  return {
    error_type: 'WORK_OF_OTHERS',
    path: '@git/stash',
    message: `${many} that this would ${verb} ${taken.length === 1 ? 'is' : 'are'} the work of another agent; all worktrees share one stash.`,
    details: {
      command: source,
      entries: taken
        .slice(0, SHOWN)
        .map(({ entry, id, owner, branch }) => ({ entry, id, author: owner, branch })),
      ...(taken.length > SHOWN ? { entries_more: taken.length - SHOWN } : {}),
      holders: [...new Set(taken.map(({ owner }) => owner))].slice(0, SHOWN),
    },
    recovery_hint: 'Name your own entry; for a stash of this worktree alone see details.next.',
    next: [
      { order: 'other', text: first },
      {
        order: 'other',
        text: 'A stash that no other worktree sees: S=$(git stash create) && git update-ref --create-reflog refs/worktree/stash $S && git restore --staged --worktree -- <your files>; back with: git stash apply refs/worktree/stash',
      },
    ],
  };
}

const insteadOf = (verb: string, own: string): string =>
  verb === 'clear' ? `Drop your own one by one: git stash drop '${own}'` : `git stash ${verb} '${own}'`;

export interface LostCommits {
  readonly ref: string;
  readonly commits: readonly { readonly id: string; readonly author: AgentId }[];
}

/** A branch would be deleted that alone contains commits of another live agent. */
export const commitsOfOthers = (source: string, { ref, commits }: LostCommits): Objection => ({
  error_type: 'WORK_OF_OTHERS',
  path: `@git/${ref}`,
  message: `${commits.length === 1 ? 'A commit' : `${String(commits.length)} commits`} of another agent would no longer be on any branch.`,
  details: {
    command: source,
    commits: commits.slice(0, SHOWN).map(({ id, author }) => ({ id, author })),
    ...(commits.length > SHOWN ? { commits_more: commits.length - SHOWN } : {}),
    holders: [...new Set(commits.map(({ author }) => author))].slice(0, SHOWN),
  },
  recovery_hint: 'Keep the branch, or let its author merge it first.',
  next: [
    {
      order: 'other',
      text: `git branch -d ${ref.replace(/^refs\/heads\//, '')} deletes it once it is merged`,
    },
  ],
});

interface MovedUnder {
  readonly root: string;
  readonly others: readonly AgentId[];
  /** An unfinished operation in it that involves this branch. */
  readonly operation: string | undefined;
}

/** No other agent works there. */
export const movedAlone = (branch: string, root: string, operation: string | undefined): string =>
  operation === undefined
    ? `guard: ${branch} is checked out in ${root}: its files would not move with it.`
    : `guard: a ${operation} of ${branch} is in progress in ${root}: when it ends, git sets the branch again.`;

/** A branch would be moved while it is checked out where other agents work. */
export const movedUnder = (
  source: string,
  ref: string,
  { root, others, operation }: MovedUnder,
): Objection => ({
  error_type: 'WORK_OF_OTHERS',
  path: `@git/${ref}`,
  message:
    operation === undefined
      ? `${ref.replace(/^refs\/heads\//, '')} is checked out in ${root}, where another agent works: its files would stay, and its next commit would undo what the branch got.`
      : `A ${operation} of ${ref.replace(/^refs\/heads\//, '')} is in progress in ${root}, where another agent works: when it ends, git sets the branch, and what the branch got meanwhile is lost.`,
  details: {
    command: source,
    checkout: root,
    ...(operation === undefined ? {} : { operation }),
    holders: others.slice(0, SHOWN),
  },
  recovery_hint: 'Move the branch in its own checkout, or use another name.',
  next: [{ order: 'other', text: `Run it in ${root} (git merge, git reset), when its agent is done` }],
});

/** A worktree in which an agent works would be moved or removed. */
export const worktreeOfOthers = (
  source: string,
  { root, others }: { readonly root: string; readonly others: readonly AgentId[] },
): Objection => ({
  error_type: 'WORK_OF_OTHERS',
  path: '@git/worktrees',
  message: `Another agent works in ${root}: this would take its directory away.`,
  details: { command: source, checkout: root, holders: others.slice(0, SHOWN) },
  recovery_hint: 'Leave it until its agent is gone.',
  next: [{ order: 'other', text: 'guard status lists the agents here; ask them with guard message send' }],
});

/** An operation in a checkout stays unfinished until someone ends it; git does not say who began it. */
export const standsIn = (root: string, operation: string, name: string): string =>
  `guard: a ${operation} is in progress in ${root} (${name}): end it with git ${operation} ${ENDS[operation] ?? '--continue or --abort'}. If you did not begin it, leave it to the agent that did.`;

const ENDS: Readonly<Record<string, string>> = { bisect: 'reset' };
