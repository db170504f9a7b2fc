import { unlessRefused } from '../core/attempt.ts';
import { asGitName } from '../core/git-names.ts';
import type { RepoPath } from '../core/types.ts';
import type { Target } from '../repo/canonical.ts';
import { targetIn } from '../workspace/target-in.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A path as given and as located; `error` if it cannot be locked. */
export interface LocatedPath {
  readonly given: string;
  readonly path: RepoPath | null;
  readonly error: string | null;
}

/** In order of canonical path, so that two agents that want the same files request them in the same order. */
export function locateAll(space: Workspace, given: readonly string[]): LocatedPath[] {
  return given
    .map((path) => locate(space, path))
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : orderOf(a) > orderOf(b) ? 1 : 0));
}

/** The order of the files does not matter: one call concerns one repository. */
const elsewhere = (hasLocks: boolean, root: string): string =>
  hasLocks
    ? `in another repository than ${root}; lock it with a separate call from there`
    : `outside of the repository ${root}, where nothing can be locked`;

const orderOf = (located: LocatedPath): string => located.path ?? located.given;

function locate(space: Workspace, given: string): LocatedPath {
  const name = space.repo.kind === 'git' ? asGitName(given, space.repo.worktree) : null;
  if (name !== null) return { given, path: name, error: null };
  return unlessRefused(
    () => located(space, given, targetIn(space, given)),
    ({ message }) => refused(given, message),
  );
}

function located({ repo }: Workspace, given: string, target: Target): LocatedPath {
  if (target.repo.state_dir !== repo.state_dir)
    return refused(given, elsewhere(target.repo.initialised, repo.root));
  if (target.kind === 'directory') return refused(given, 'a directory; lock the files in it');
  return { given, path: target.path, error: null };
}

const refused = (given: string, error: string): LocatedPath => ({ given, path: null, error });
