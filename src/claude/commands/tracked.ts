/** Which files git tracks, read from the index of the checkout that each lies in: no process. */
import { dirname } from 'node:path';
import { type GitDir, readGitDir } from '../../repo/git-dir.ts';
import { trackedAmong } from '../../repo/known/git-index.ts';
import type { Target } from '../../repo/canonical.ts';

/**
 * Of these files those that are judged as Write judges them. Where an index cannot be read, all of it; in a directory that guard
 * keeps without git every file.
 */
export function trackedOf(files: readonly Target[]): ReadonlySet<Target> {
  const found = new Set<Target>();
  const known = new Map<string, GitDir | null>();
  const byRoot = new Map<string, Target[]>();
  for (const file of files) {
    const root = rootOf(dirname(file.real), known);
    if (root === null) {
      if (file.repo.kind === 'plain') found.add(file);
    } else byRoot.set(root, [...(byRoot.get(root) ?? []), file]);
  }
  for (const [root, own] of byRoot) for (const file of trackedIn(root, own, known)) found.add(file);
  return found;
}

/** The innermost checkout: a submodule has an index of its own. */
function rootOf(dir: string, known: Map<string, GitDir | null>): string | null {
  for (let at = dir; ; at = dirname(at)) {
    const git = known.get(at) ?? (known.has(at) ? null : readGitDir(at));
    known.set(at, git);
    if (git !== null) return at;
    if (dirname(at) === at) return null;
  }
}

function trackedIn(
  root: string,
  files: readonly Target[],
  known: Map<string, GitDir | null>,
): readonly Target[] {
  const git = known.get(root);
  if (!git) return [];
  const git_dir = git.worktree === null ? git.common_dir : `${git.common_dir}/worktrees/${git.worktree}`;
  const names = new Map(files.map((file) => [file.real.slice(root === '/' ? 1 : root.length + 1), file]));
  const tracked = trackedAmong(git_dir, new Set(names.keys()));
  return tracked === null ? files : [...names].flatMap(([name, file]) => (tracked.has(name) ? [file] : []));
}
