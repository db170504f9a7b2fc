/** guard's verdict on a commit that git is about to make. */
import { GuardError } from '../../core/error.ts';
import { isAlone } from '../../core/living.ts';
import { keptFromCommit, type RefusedPath } from '../../core/rules/commit.ts';
import type { RepoPath } from '../../core/types.ts';
import { type Committing, stagedBytes, stagedIn } from '../../git/staged.ts';
import { digestBytes } from '../../repo/digest.ts';
import { foldPath } from '../../repo/fold.ts';
import { readInstall } from '../../repo/install.ts';
import type { Repo } from '../../repo/locate.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Shell } from '../shell.ts';
import { consult } from '../../store/transact.ts';
import { gitCaller } from './git-caller.ts';

export interface CommitVerdict {
  readonly kept: readonly (RefusedPath & { readonly name: string })[];
  readonly mine: readonly string[];
  readonly is_joining: boolean;
  readonly is_agent: boolean;
}

/** `null` if nothing is in the way. @throws GuardError GUARD_ERR_IO if git does not say what is staged */
export function judgeCommit(space: Workspace, at: Committing, shell: Shell): CommitVerdict | null {
  const by = gitCaller(space, shell);
  const facts = space.facts();
  if (facts.policy.enforcement === 'off') return null;
  if (consult(space.store, (view) => isAlone(view, by.who.id, facts))) return null;
  const staged = stagedIn(at);
  if (staged === null) throw silent(at.root);
  const names = namesByPath(space.repo, at.root, staged.names);
  const found = consult(space.store, (view) => keptFromCommit(view, [...names.keys()], by, facts));
  const kept = found
    .map((one) => ({ ...one, name: names.get(one.path) ?? one.path }))
    .filter((one) => one.digest === undefined || one.digest === digestStaged(at, one.name));
  if (kept.length === 0) return null;
  const theirs = new Set(kept.map(({ name }) => name));
  return {
    kept,
    mine: staged.names.filter((name) => !theirs.has(name)),
    is_joining: staged.is_joining,
    is_agent: by.who.kind !== 'person',
  };
}

const digestStaged = (at: Committing, name: string) => {
  const bytes = stagedBytes(at, name);
  return bytes === null ? null : digestBytes(bytes);
};

/** A link is committed as a link, so unlike for a write it is not followed. */
function namesByPath(repo: Repo, root: string, names: readonly string[]): ReadonlyMap<RepoPath, string> {
  const fold = readInstall(repo.state_dir);
  const below = root === repo.root ? '' : `${root.slice(repo.root.length + 1)}/`;
  const prefix = repo.worktree === null ? '' : `//${repo.worktree}/`;
  return new Map(names.map((name) => [prefix + foldPath(below + name, fold), name]));
}

const silent = (root: string): GuardError =>
  new GuardError(
    'GUARD_ERR_IO',
    `git did not say what is staged in ${root}.`,
    'Run "git diff --cached --name-only" there to see why.',
    { root },
  );
