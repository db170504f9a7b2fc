/** What git keeps in small files: a checkout's branch, the list of checkouts, and the state of an operation in progress. */
import { dirname, join } from 'node:path';
import { gitDirOf } from '../repo/git-dir.ts';
import { type Midway, midwayIn } from '../repo/midway.ts';
import { namesIn } from '../repo/names-in.ts';
import { rootOfCheckout } from '../repo/other-checkouts.ts';
import { textOf } from '../repo/small-file.ts';

/** `heads/main`; null: a detached HEAD. */
export function currentBranch(git_dir: string): string | null {
  const [, branch] = /^ref: refs\/(\S+)/.exec(textOf(join(git_dir, 'HEAD')) ?? '') ?? [];
  return branch ?? null;
}

export interface Worktree {
  /** Its name in the ledger; null: the main checkout. */
  readonly id: string | null;
  readonly root: string | null;
  readonly git_dir: string;
  readonly branch: string | null;
  /** The operation in progress in it, and the branch that git will set at its end: `heads/main`. */
  readonly standing: { readonly operation: Midway; readonly branch: string } | null;
}

/** Every checkout of a repository, read without running git. */
export function gitWorktrees(common_dir: string): readonly Worktree[] {
  const main: Worktree = {
    id: null,
    root: /[\\/]\.git$/.test(common_dir) ? dirname(common_dir) : null,
    git_dir: common_dir,
    branch: currentBranch(common_dir),
    standing: standingIn(common_dir),
  };
  return [main, ...linkedIds(common_dir).map((id) => linked(common_dir, id))];
}

const linkedIds = (common_dir: string): readonly string[] => namesIn(join(common_dir, 'worktrees')).sort();

function linked(common_dir: string, id: string): Worktree {
  const git_dir = gitDirOf(common_dir, id);
  const root = rootOfCheckout({ common_dir }, id);
  return { id, root, git_dir, branch: currentBranch(git_dir), standing: standingIn(git_dir) };
}

/** Only operations that detach HEAD from its branch and restore it at the end. */
function standingIn(git_dir: string): Worktree['standing'] {
  const [, operation] = currentBranch(git_dir) === null ? (midwayIn(git_dir) ?? []) : [];
  if (operation === undefined) return null;
  const about = noted(git_dir, 'rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START');
  const branch = about?.replace(/^refs\//, '').replace(/^(?!heads\/)/, 'heads/');
  return branch === undefined ? null : { operation, branch };
}

/** The first line of the first of these files in the git directory that has a valid one; null: none. */
export function noted(git_dir: string, ...names: readonly string[]): string | null {
  for (const name of names) {
    const [line = ''] = (textOf(join(git_dir, name)) ?? '').split('\n');
    if (/^[\w/.-]+$/.test(line) && !line.startsWith('-')) return line;
  }
  return null;
}

/** The commits that a sequencer still has to process. */
export function todo(git_dir: string, file: string): readonly string[] {
  const text = textOf(join(git_dir, file), 262_144) ?? '';
  return [
    ...text.matchAll(/^(?:p|pick|revert|r|reword|e|edit|s|squash|f|fixup)\s+(?:-\w\s+)?([0-9a-f]{7,64})\b/gm),
  ].map(([, id = '']) => id);
}
