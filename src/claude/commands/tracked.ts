/** Which files git tracks, read from the index of the checkout that contains each of them: no process is started. */
import { dirname } from 'node:path';
import { type GitDir, readGitDir } from '../../repo/git-dir.ts';
import { trackedAmong } from '../../repo/known/git-index.ts';
import type { Target } from '../../repo/canonical.ts';

/**
 * The files that are checked in the same way as for Write. If an index cannot be read: all files of the checkout; in a directory
 * guarded without git: every file.
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

/** The innermost checkout: a submodule has its own index. */
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
