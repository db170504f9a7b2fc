/** Answers that several commands have in common. */
import { absoluteIn } from '../act.ts';
import type { Act, Narrower, RefMove, Resource, Touch, TouchedFile } from '../act.ts';
import type { Word } from '../words.ts';
import { between, changedBy, type Dirty, dirtyFiles, renames, type TreeChange } from '../questions.ts';

export const MOVES_HEAD: readonly Resource[] = ['worktree', 'index'];

/** Its content changes and nothing is lost that is in no commit. */
export const changes = (path: string): TouchedFile => ({ path, on_disk: true, loses: 'nothing' });

/** What is only on disk is gone. */
export const overwrites = (path: string): TouchedFile => ({ path, on_disk: true, loses: 'uncommitted' });

/** A directory with all that is in it. */
export const wholeTree = (path: string): TouchedFile => ({ ...changes(path), is_tree: true });

/** What is only on disk of the first is gone; the others change. */
export const losing = (lost: readonly string[], changed: readonly string[]): readonly TouchedFile[] => [
  ...lost.map(overwrites),
  ...changed.filter((path) => !lost.includes(path)).map(changes),
];

/** The same of files that the act names: those that are in no commit as they are lose that. */
export function lossesAmong(
  act: Act,
  files: readonly string[],
  paths: readonly string[],
): readonly TouchedFile[] {
  const dirty = new Set(files.length === 0 ? [] : changedFiles(act, paths));
  return files.map((path) => (dirty.has(path) ? overwrites(path) : changes(path)));
}

/** `branch -f`, `checkout -B`; undefined: no branch is named. */
export const branchMoved = (name: Word | undefined): readonly RefMove[] =>
  typeof name === 'string' ? [{ ref: `refs/heads/${name}`, how: 'move' }] : [];

/** Goes into the index or a commit as it is. */
export const sweeps = (path: string): TouchedFile => ({ path, on_disk: false, loses: 'staged' });

export const isTrackedFile = ({ kind }: Dirty): boolean => kind === 'tracked' || kind === 'unmerged';

/** Differs from HEAD, in the index or on disk; a submodule's commit is none of it. */
export const changedFiles = (act: Act, paths: readonly string[] = []): readonly string[] =>
  dirtyFiles(act.git, 'no', paths)
    .filter(isTrackedFile)
    .map(({ path }) => path);

/** Taken out of the index, the file on disk stays: lost is only what was staged and then changed again. */
export const stagedLost = (act: Act, paths: readonly string[]): readonly TouchedFile[] =>
  dirtyFiles(act.git, 'no', paths)
    .filter((one) => one.kind === 'tracked' && one.staged !== '.' && one.unstaged !== '.')
    .map(({ path }) => ({ path, on_disk: false, loses: 'uncommitted' }));

/** Differs from HEAD in the index, conflicts with it. */
export const inIndex = (act: Act): readonly string[] =>
  dirtyFiles(act.git, 'no')
    .filter((one) => isTrackedFile(one) && one.staged !== '.')
    .map(({ path }) => path);

export const exists = (act: Pick<Act, 'root' | 'kind'>, path: string): boolean =>
  act.kind(absoluteIn(act, path)) !== null;

/** From one commit to another, by putting the second one's files in place: those that are there already, too. */
export const moved = (act: Act, to: string): readonly TreeChange[] | null => between(act.git, 'HEAD', to);

/** Another commit's files in place; git itself refuses to overwrite what is in no commit, but not what it ignores. */
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

/** What the other side changed since both were one, under the names that this side gave those files meanwhile. */
export function mergedIn(act: Act, other: string): readonly string[] | null {
  const theirs = between(act.git, 'HEAD', other, ['--merge-base']);
  if (theirs === null) return null;
  const named = theirs.some((one) => isRenamedHere(act, one))
    ? renames(act.git, other, 'HEAD', ['--merge-base'])
    : new Map<string, string>();
  return theirs.map(({ path }) => named.get(path) ?? path);
}

const isRenamedHere = (act: Act, { how, path }: TreeChange): boolean => how !== 'A' && !exists(act, path);

/** What commits changed, picked or taken back here. */
export function picked(act: Act, revisions: readonly string[]): readonly string[] | null {
  const paths = changedBy(act.git, revisions);
  if (paths === null) return null;
  const first = revisions[0];
  if (first === undefined || paths.every((path) => exists(act, path))) return paths;
  const named = renames(act.git, `${first}^`, 'HEAD', []);
  return [...new Set(paths.flatMap((path) => [path, named.get(path) ?? path]))];
}

/**
 * `--abort` of a merge and its like: back to how HEAD has it. `keeps`: as `git reset --merge` does it, so what is changed on
 * disk alone stays as it is.
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
  instead: `Wait until they have committed, or ${what} in a worktree of your own: git worktree add ../<directory> <branch>`,
});
