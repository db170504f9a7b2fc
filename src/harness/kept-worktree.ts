/** The worktrees of ended agents that still exist: their contents, and who may act on them. */
import { existsSync } from 'node:fs';
import { type DraftState, isOver, sessionAgent, type WorktreeState } from '../core/drafts.ts';
import { GuardError } from '../core/error.ts';
import { mayOnlyLook, roleRefusal } from '../core/policy/role.ts';
import { monotonic } from '../repo/clock.ts';
import { midwayIn } from '../repo/midway.ts';
import { gitFor, ifSaid, type RunGit } from '../worktrees/git.ts';
import { worktreeAt } from '../worktrees/make.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { agentMeant } from './agent-meant.ts';
import { commitFiles, openFiles } from './open-files.ts';
import { refusedMerge } from './refusal.ts';
import { allDrafts, draftOf, type HarnessWorkspace } from './workspace.ts';

type Space = HarnessWorkspace & CallerWorkspace;

const LIMIT_MS = 120_000;

export const gitIn = ({ env }: Pick<HarnessWorkspace, 'env'>): RunGit =>
  gitFor({ env, until_ms: monotonic() + LIMIT_MS });

export interface KeptWorktree {
  readonly draft: DraftState;
  readonly worktree: WorktreeState;
  /** Whether its directory exists; if not, only its branch does. */
  readonly is_there: boolean;
}

/** Oldest first. Includes those of agents still at work, once they have been made. */
export function keptWorktrees(
  space: Pick<HarnessWorkspace, 'store' | 'root' | 'env'>,
): readonly KeptWorktree[] {
  const git = gitIn(space);
  return allDrafts(space).flatMap((draft) => {
    const { worktree } = draft;
    if (worktree?.kept !== true || (worktree.is_unfinished === true && !isOver(draft))) return [];
    const is_there = existsSync(worktree.dir);
    return is_there || branchTip(git, space.root, worktree.branch) !== null
      ? [{ draft, worktree, is_there }]
      : [];
  });
}

export const branchTip = (git: RunGit, root: string, branch: string): string | null =>
  ifSaid(git, root, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`);

/**
 * A worktree that may be merged or discarded: its agent has ended, and the caller is a person or an agent above it.
 * @throws GuardError GUARD_ERR_AGENT, GUARD_ERR_WORKTREE
 */
export function ownWorktree(space: Space, given: string): KeptWorktree {
  const draft = agentMeant(space, given);
  checkMay(space, draft);
  const { id, worktree } = draft;
  if (draft.status === 'queued')
    throw refusedMerge('queued', `${id} is queued.`, `To give it up: guard agent kill ${id}`);
  if (!isOver(draft))
    throw refusedMerge('at_work', `${id} is at work in it.`, `Wait for its end: guard agent await ${id}`);
  const found = keptWorktrees(space).find((one) => one.draft.id === id);
  if (found !== undefined) return found;
  const settled = worktree?.settled;
  const why =
    settled === undefined ? 'nothing was changed in it, or it had none' : `it was ${settled.how} already`;
  throw refusedMerge(
    'none',
    `${id} no longer has a worktree: ${why}.`,
    'For existing ones, run: guard agent changes',
  );
}

function checkMay(space: Space, draft: DraftState): void {
  const { who } = space;
  if (who.kind === 'person') return;
  const own = sessionAgent(who.id);
  const caller = draftOf(space, own);
  if (mayOnlyLook(caller))
    throw new GuardError('GUARD_ERR_AGENT', ...roleRefusal('merge'), { why: 'access', agent: who.id });
  const above = (one: DraftState | null): boolean =>
    one !== null &&
    (sessionAgent(one.drafted_by) === own || above(one.parent === null ? null : draftOf(space, one.parent)));
  if (above(draft)) return;
  throw refusedMerge(
    'access',
    `${draft.id} was drafted by ${draft.drafted_by}.`,
    'Only its drafter or a person may do that.',
  );
}

/**
 * Commits the agent's uncommitted files on top of what is checked out there, without running the repository's hooks.
 * @returns the commit that has all of it, and how many files were uncommitted before
 * @throws GuardError GUARD_ERR_WORKTREE during a rebase or the like, or if its branch and its checkout have diverged
 */
export function commitOpen(
  space: Space,
  { draft, worktree, is_there }: KeptWorktree,
): { readonly tip: string; readonly open: number } {
  const git = gitIn(space);
  const { dir, branch } = worktree;
  const own = branchTip(git, space.root, branch);
  // Nothing in an unfinished worktree is the agent's work.
  if (!is_there || worktree.is_unfinished === true) return { tip: own ?? worktree.base, open: 0 };
  const made = worktreeAt(space.repo.common_dir ?? '', dir);
  const running = made === undefined ? null : (midwayIn(made.git_dir)?.[1] ?? null);
  if (running !== null) throw stands(dir, `a ${running} is in progress in it`);
  const { open } = openFiles(git, dir);
  if (open.length > 0) commitFiles(git, dir, open, messageOf(draft, 'What it had not committed: '));
  const tip = git(dir, 'rev-parse', 'HEAD').trim();
  if (
    own !== null &&
    ifSaid(git, space.root, 'merge-base', '--is-ancestor', own, tip) === null &&
    !isBranch(made?.branch, branch)
  )
    throw stands(dir, `${branch} has commits that are not in what is checked out there`);
  return { tip, open: open.length };
}

const isBranch = (checked_out: string | null | undefined, branch: string): boolean =>
  checked_out === `heads/${branch}`;

const stands = (dir: string, why: string): GuardError =>
  new GuardError('GUARD_ERR_WORKTREE', `${dir}: ${why}.`, 'Resolve that there first.', { dir });

const SUBJECT_CHARS = 72;

/** What the agent reported as done, as far as it did. */
export function messageOf({ id, name, role, task, result }: DraftState, what: string): string {
  const [line = ''] = (result?.summary ?? '').trim().split('\n');
  const subject = `${what}${name ?? role}${line === '' ? '' : `: ${line}`}`;
  return [
    subject.length > SUBJECT_CHARS ? `${subject.slice(0, SUBJECT_CHARS - 1)}…` : subject,
    '',
    `Agent: ${id}`,
    `Task: ${task}`,
  ].join('\n');
}
