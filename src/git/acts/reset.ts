/** reset and read-tree: set the index, and possibly the files, to the state of a commit. */
import { type Act, fromCwd, type Touch, type TouchedFile, TOUCHES_NOTHING } from '../act.ts';
import { type GitOptions, readOptions } from '../options.ts';
import { inModules, withModules } from '../modules.ts';
import { pathsOf } from '../pathspecs.ts';
import {
  changedFiles,
  checkedOut,
  inIndex,
  losing,
  MOVES_HEAD,
  moved,
  overwrites,
  stagedLost,
} from './shared.ts';

const RESET =
  'pathspec-from-file= pathspec-file-nul hard soft mixed merge keep quiet patch intent-to-add refresh no-refresh recurse-submodules no-recurse-submodules';

export function reset(act: Act): Touch {
  const options = readOptions(act.args, RESET);
  const how = ['hard', 'merge', 'keep'].find((one) => options.has(one));
  if (how === undefined) return indexOnly(act, options);
  const [to = 'HEAD'] = options.operands;
  const partly = to === null ? { unresolved: 'which commit' } : {};
  const found = RESETS[how]?.(act, to ?? 'HEAD') ?? [];
  const files = how === 'keep' ? found : withAdded(act, found);
  const instead = 'Name your own files instead: git restore --staged --worktree -- <files>';
  const touch: Touch = {
    ...partly,
    files,
    resources: MOVES_HEAD,
    narrower: { paths: to === 'HEAD' ? ['restore', '--staged', '--worktree'] : null, instead },
  };
  return how !== 'keep' ? withModules(touch, inModules(act, options, [], to ?? 'HEAD')) : touch;
}

/** Files that the line itself added to the index before were untracked, so a reset loses them too. */
function withAdded({ added_before }: Act, found: readonly TouchedFile[]): readonly TouchedFile[] {
  const known = new Set(found.filter(({ loses }) => loses === 'uncommitted').map(({ path }) => path));
  const added = added_before.filter((path) => !known.has(path));
  return [...found, ...added.map(overwrites)];
}

const RESETS: Readonly<Record<string, (act: Act, to: string) => readonly TouchedFile[]>> = {
  hard: (act, to) => (to === 'HEAD' ? hardHere(act) : (checkedOut(act, to, true) ?? hardHere(act))),
  keep: (act, to) => checkedOut(act, to, false) ?? [],
  merge: (act, to) => {
    const gone = inIndex(act);
    const differing = (moved(act, to) ?? []).map(({ path }) => path);
    return losing(gone, differing);
  },
};

const hardHere = (act: Act): readonly TouchedFile[] => changedFiles(act).map(overwrites);

function indexOnly(act: Act, options: GitOptions): Touch {
  if (options.has('soft')) return { resources: ['worktree'] };
  const [first] = options.operands;
  const isCommitFirst = first !== undefined && first !== null && act.kind(fromCwd(act, first)) === null;
  const { paths, is_partial } = pathsOf(
    act,
    options,
    isCommitFirst ? options.operands.slice(1) : options.operands,
  );
  if (is_partial && paths.length === 0) return { unresolved: 'which files', resources: ['index'] };
  return {
    files: stagedLost(act, paths),
    resources: ['index'],
    narrower: { paths: ['restore', '--staged'] },
  };
}

export function readTree(act: Act): Touch {
  const options = readOptions(
    act.args,
    'index-output= prefix= reset exclude-per-directory= empty trivial aggressive quiet dry-run recurse-submodules no-recurse-submodules',
  );
  if (!options.has('u') || options.has('n', 'dry-run')) return { resources: ['index'] };
  const to = options.operands.at(-1) ?? null;
  if (to === null) return { unresolved: 'which tree', resources: ['index'] };
  const files = checkedOut(act, to, options.has('reset'));
  if (files === null) return TOUCHES_NOTHING;
  const within = options.has('reset') ? inModules(act, options, [], to) : [];
  return withModules({ files, resources: MOVES_HEAD }, within);
}
