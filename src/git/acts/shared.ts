/** Results that several commands have in common. */
import { absoluteIn } from '../act.ts';
import type { Act, Narrower, RefMove, Resource, Touch, TouchedFile } from '../act.ts';
import type { Word } from '../words.ts';
import { between, changedBy, type Dirty, dirtyFiles, renames, type TreeChange } from '../questions.ts';

export const MOVES_HEAD: readonly Resource[] = ['worktree', 'index'];

/** The content changes, but nothing uncommitted is lost. */
export const changes = (path: string): TouchedFile => ({ path, on_disk: true, loses: 'nothing' });

/** Content that exists only on disk is lost. */
export const overwrites = (path: string): TouchedFile => ({ path, on_disk: true, loses: 'uncommitted' });

/** A directory with everything in it. */
export const wholeTree = (path: string): TouchedFile => ({ ...changes(path), is_tree: true });

/** Files in `lost` lose what exists only on disk; the others just change. */
export const losing = (lost: readonly string[], changed: readonly string[]): readonly TouchedFile[] => [
  ...lost.map(overwrites),
  ...changed.filter((path) => !lost.includes(path)).map(changes),
];

/** The same for files that the command names: those with uncommitted changes lose them. */
export function lossesAmong(
  act: Act,
  files: readonly string[],
  paths: readonly string[],
): readonly TouchedFile[] {
  const dirty = new Set(files.length === 0 ? [] : changedFiles(act, paths));
  return files.map((path) => (dirty.has(path) ? overwrites(path) : changes(path)));
}

/** For `branch -f` and `checkout -B`; undefined: no branch is named. */
export const branchMoved = (name: Word | undefined): readonly RefMove[] =>
  typeof name === 'string' ? [{ ref: `refs/heads/${name}`, how: 'move' }] : [];

/** The file goes into the index or a commit unchanged. */
export const sweeps = (path: string): TouchedFile => ({ path, on_disk: false, loses: 'staged' });

export const isTrackedFile = ({ kind }: Dirty): boolean => kind === 'tracked' || kind === 'unmerged';

/** Files that differ from HEAD, in the index or on disk, without submodules at another commit. */
export const changedFiles = (act: Act, paths: readonly string[] = []): readonly string[] =>
  dirtyFiles(act.git, 'no', paths)
    .filter(isTrackedFile)
    .map(({ path }) => path);

/** For commands that unstage files but keep them on disk: lost is only what was staged and then changed again. */
export const stagedLost = (act: Act, paths: readonly string[]): readonly TouchedFile[] =>
  dirtyFiles(act.git, 'no', paths)
    .filter((one) => one.kind === 'tracked' && one.staged !== '.' && one.unstaged !== '.')
    .map(({ path }) => ({ path, on_disk: false, loses: 'uncommitted' }));

/** Files that differ from HEAD in the index, or are in conflict. */
export const inIndex = (act: Act): readonly string[] =>
  dirtyFiles(act.git, 'no')
    .filter((one) => isTrackedFile(one) && one.staged !== '.')
    .map(({ path }) => path);

export const exists = (act: Pick<Act, 'root' | 'kind'>, path: string): boolean =>
  act.kind(absoluteIn(act, path)) !== null;

/** Files that differ between HEAD and a commit whose files replace them, even if they already have that content on disk. */
export const moved = (act: Act, to: string): readonly TreeChange[] | null => between(act.git, 'HEAD', to);

/** Replaces the files with those of a commit. git refuses to overwrite uncommitted changes, but not files that it ignores. */
export function checkedOut(act: Act, to: string, is_forced: boolean): readonly TouchedFile[] | null {
  const differing = moved(act, to);
  if (differing === null) return null;
  const dirty = is_forced ? new Set(changedFiles(act)) : new Set<string>();
  return [
    ...[...dirty].map(overwrites),
    ...differing
      .filter(({ path }) => !dirty.has(path))
      .map(({ path, how }) => (how === 'A' && exists(act, path) ? overwrites(path) : changes(path))),
  ];
}

/** What the other side has changed since the merge base, under the names that those files have on this side. */
export function mergedIn(act: Act, other: string): readonly string[] | null {
  const theirs = between(act.git, 'HEAD', other, ['--merge-base']);
  if (theirs === null) return null;
  const named = theirs.some((one) => isRenamedHere(act, one))
    ? renames(act.git, other, 'HEAD', ['--merge-base'])
    : new Map<string, string>();
  return theirs.map(({ path }) => named.get(path) ?? path);
}

const isRenamedHere = (act: Act, { how, path }: TreeChange): boolean => how !== 'A' && !exists(act, path);

/** The files changed by commits that are picked or reverted here. */
export function picked(act: Act, revisions: readonly string[]): readonly string[] | null {
  const paths = changedBy(act.git, revisions);
  if (paths === null) return null;
  const first = revisions[0];
  if (first === undefined || paths.every((path) => exists(act, path))) return paths;
  const named = renames(act.git, `${first}^`, 'HEAD', []);
  return [...new Set(paths.flatMap((path) => [path, named.get(path) ?? path]))];
}

/**
 * `--abort` of a merge and similar: back to the state of HEAD. With `keeps`, like `git reset --merge`, which preserves
 * changes that are only on disk.
 */
export function aborted(act: Act, back_to: string | null, keeps = false): Touch {
  const dirty = keeps ? inIndex(act) : changedFiles(act);
  const differing = back_to === null ? [] : (moved(act, back_to) ?? []).map(({ path }) => path);
  return {
    files: losing(dirty, differing),
    resources: MOVES_HEAD,
  };
}

export const doneElsewhere = (what: string): Narrower => ({
  paths: null,
  instead: `Wait until they have committed, or ${what} in your own worktree: git worktree add ../<directory> <branch>`,
});
