/** checkout, switch, restore, checkout-index: replace files with those of another commit or of the index. */
import { type Act, fromCwd, type RefMove, type Touch, type TouchedFile, TOUCHES_NOTHING } from '../act.ts';
import { type GitOptions, readOptions } from '../options.ts';
import { inModules, withModules } from '../modules.ts';
import { type NamedPaths, pathsOf } from '../pathspecs.ts';
import { againstDisk, between, dirtyFiles } from '../questions.ts';
import type { Word } from '../words.ts';
import {
  branchMoved,
  checkedOut,
  doneElsewhere,
  isTrackedFile,
  lossesAmong,
  MOVES_HEAD,
  overwrites,
  stagedLost,
} from './shared.ts';

const CHECKOUT =
  'b= B= orphan= conflict= pathspec-from-file= pathspec-file-nul force ours theirs merge patch detach track no-track guess no-guess quiet progress no-progress overlay no-overlay ignore-skip-worktree-bits recurse-submodules no-recurse-submodules overwrite-ignore no-overwrite-ignore ignore-other-worktrees';

export function checkout(act: Act): Touch {
  const options = readOptions(act.args, CHECKOUT);
  const { operands, paths } = options;
  const [first = 'HEAD', ...rest] = operands;
  const isNew = options.has('b', 'B', 'orphan');
  if (isNew || options.has('detach', 'd', 't', 'track')) return toCommit(act, options, first);
  if (
    operands.length === 0 &&
    paths === null &&
    !options.has('pathspec-from-file', 'f', 'force', 'p', 'patch')
  )
    return TOUCHES_NOTHING;
  if (paths === null && rest.length === 0 && !options.has('pathspec-from-file', 'p', 'patch')) {
    if (first === null) return { unresolved: 'which branch or path', resources: MOVES_HEAD };
    const found = operands.length === 0 ? toCommit(act, options, 'HEAD') : branchOr(act, options, first);
    if (found !== null) return found;
  }
  // git takes the first operand as a commit if it is one; otherwise all of them are paths.
  if (paths !== null)
    return fromTree(act, options, operands.length === 0 ? null : first, pathsOf(act, options, []));
  if (first === null) return { unresolved: 'which commit or path' };
  const isTree =
    rest.length > 0 && act.kind(fromCwd(act, first)) === null && between(act.git, first, first) !== null;
  if (isTree) return fromTree(act, options, first, pathsOf(act, options, rest));
  return fromTree(act, options, null, pathsOf(act, options));
}

function branchOr(act: Act, options: GitOptions, name: string): Touch | null {
  const found = goneTo(act, options, name);
  if (found !== null || act.kind(fromCwd(act, name)) !== null) return found;
  // A branch that exists only on a remote is created when it is first checked out.
  const files = checkedOut(act, `refs/remotes/origin/${name}`, isForced(options));
  return files === null ? null : moves(act, files);
}

/** Null: there is no such commit. */
function goneTo(act: Act, options: GitOptions, name: string, refs: readonly RefMove[] = []): Touch | null {
  const target = name === '-' ? '@{-1}' : name;
  const files = checkedOut(act, target, isForced(options));
  return files === null ? null : withModules(moves(act, files, refs), forcedIn(act, options, target));
}

const isForced = (options: GitOptions): boolean => options.has('f', 'force', 'discard-changes');

const moves = (act: Act, files: readonly TouchedFile[], refs: readonly RefMove[] = []): Touch => ({
  files,
  refs,
  resources: MOVES_HEAD,
  narrower: doneElsewhere(`do your ${act.command}`),
});

function toCommit(act: Act, options: GitOptions, start: Word): Touch {
  const refs = branchMoved(options.value('B', 'C', 'force-create'));
  const target = act.command === 'switch' && options.has('orphan') ? EMPTY_TREE : start;
  if (target === null) return { unresolved: 'which commit', resources: MOVES_HEAD, refs };
  // A new branch at HEAD: only the name of HEAD changes, and every file stays.
  if (target === 'HEAD' && !isForced(options)) return { refs, resources: ['worktree'] };
  return goneTo(act, options, target, refs) ?? { refs };
}

/** Without force, and in a `switch` that names no commit, git keeps a submodule's uncommitted changes. */
function forcedIn(act: Act, options: GitOptions, tree: string): readonly TouchedFile[] {
  const is_named = act.command !== 'switch' || options.operands.length > 0 || options.has('orphan');
  return isForced(options) && is_named ? inModules(act, options, [], tree) : [];
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const SWITCH =
  'c= C= create= force-create= orphan= conflict= force discard-changes merge detach track no-track guess no-guess quiet progress recurse-submodules no-recurse-submodules ignore-other-worktrees';

export function switchTo(act: Act): Touch {
  const options = readOptions(act.args, SWITCH);
  const [first] = options.operands;
  if (options.has('c', 'C', 'create', 'force-create', 'orphan'))
    return toCommit(act, options, first ?? (first === null ? null : 'HEAD'));
  if (first === undefined) return TOUCHES_NOTHING;
  if (first === null) return { unresolved: 'which branch', resources: MOVES_HEAD };
  return branchOr(act, options, first) ?? TOUCHES_NOTHING;
}

/** @param tree null: from the index */
function fromTree(act: Act, options: GitOptions, tree: Word, named: NamedPaths): Touch {
  const { paths, partly } = named;
  if (paths.length === 0 && named.is_partial) return partly;
  const narrower = { paths: ['checkout', ...(tree === null ? [] : [tree])] };
  // By then, submodules are checked out as in the index, whatever tree the files are from.
  const within = inModules(act, options, paths);
  if (tree === null) return withModules({ ...partly, files: unstagedOf(act, paths), narrower }, within);
  const differing = againstDisk(act.git, tree, paths) ?? [];
  // Without `--no-overlay`, files that the commit does not have are kept.
  const kept = options.has('no-overlay') ? differing : differing.filter(({ how }) => how !== 'A');
  const names = kept.map(({ path }) => path);
  const files = lossesAmong(act, names, paths);
  return withModules({ ...partly, files, narrower, resources: ['index'] }, within);
}

const unstagedOf = (act: Act, paths: readonly string[]): readonly TouchedFile[] =>
  dirtyFiles(act.git, 'no', paths)
    .filter((one) => isTrackedFile(one) && one.unstaged !== '.')
    .map(({ path }) => overwrites(path));

const RESTORE =
  's= source= conflict= pathspec-from-file= pathspec-file-nul staged worktree ours theirs merge patch overlay no-overlay quiet progress ignore-unmerged ignore-skip-worktree-bits recurse-submodules no-recurse-submodules';

export function restorePaths(act: Act): Touch {
  const options = readOptions(act.args, RESTORE);
  const { paths, partly } = pathsOf(act, options);
  if (paths.length === 0) return partly;
  const isStaged = options.has('S', 'staged');
  const isOnDisk = !isStaged || options.has('W', 'worktree');
  const source = options.value('s', 'source');
  if (source === null) return { unresolved: 'which commit' };
  const words = [
    'restore',
    ...(source === undefined ? [] : [`--source=${source}`]),
    ...(isStaged ? ['--staged'] : []),
    ...(isStaged && isOnDisk ? ['--worktree'] : []),
  ];
  const narrower = { paths: words };
  if (!isOnDisk) return { ...partly, files: stagedLost(act, paths), resources: ['index'], narrower };
  const within = inModules(act, options, paths);
  if (!isStaged && source === undefined)
    return withModules({ ...partly, files: unstagedOf(act, paths), narrower }, within);
  const differing = (againstDisk(act.git, source ?? 'HEAD', paths) ?? []).map(({ path }) => path);
  const resources = isStaged ? (['index'] as const) : [];
  return withModules({ ...partly, files: lossesAmong(act, differing, paths), resources, narrower }, within);
}

export function checkoutIndex(act: Act): Touch {
  const options = readOptions(act.args, 'prefix= stage= all force index quiet no-create stdin temp z');
  if (options.has('prefix', 'temp') || !options.has('f', 'force')) return TOUCHES_NOTHING;
  const isAll = options.has('a', 'all');
  const { paths, partly } = pathsOf(act, options);
  if (paths.length === 0 && !isAll) return partly;
  return { files: unstagedOf(act, isAll ? [] : paths), narrower: { paths: ['checkout-index', '-f'] } };
}
