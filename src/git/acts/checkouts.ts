/** worktree, submodule, sparse-checkout, filter-branch: whole directories that are added, moved and removed; also output files. */
import { realpathSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { type Act, fromCwd, type LeftWorktree, type Touch, TOUCHES_NOTHING } from '../act.ts';
import { gitWorktrees } from '../heads.ts';
import { readOptions } from '../options.ts';
import { dirtyFiles } from '../questions.ts';
import { branchMoved, changes, MOVES_HEAD, overwrites, wholeTree } from './shared.ts';

const ADD = 'b= B= reason= orphan detach checkout no-checkout lock force quiet track guess-remote';
/** Verbs that change the list of worktrees, or git's notes about one. */
const LISTED: readonly (string | null | undefined)[] = ['lock', 'unlock', 'prune', 'repair'];

export function worktree(act: Act): Touch {
  const [verb, ...rest] = act.args;
  if (verb === 'remove' || verb === 'move') return { ...goes(act, verb, rest), resources: ['worktrees'] };
  if (LISTED.includes(verb)) return { resources: ['worktrees'] };
  if (verb !== 'add') return TOUCHES_NOTHING;
  const options = readOptions(rest, ADD);
  const tracks = options.has('track') ? (['config'] as const) : [];
  return { refs: branchMoved(options.value('B')), resources: ['worktrees', ...tracks] };
}

function goes(act: Act, verb: 'remove' | 'move', rest: Act['args']): Touch {
  const options = readOptions(rest, 'force');
  const [named] = options.operands;
  if (named === null) return { unresolved: 'which worktree' };
  const leaves = named === undefined ? undefined : linkedAt(act, named);
  if (leaves === undefined) return TOUCHES_NOTHING;
  const { root } = leaves;
  if (verb === 'move') return { files: [wholeTree(root)], leaves };
  const dirty = options.has('f', 'force') ? dirtyFiles((...args) => act.git('-C', root, ...args), 'all') : [];
  const instead = 'Without --force, git keeps a worktree that has uncommitted changes.';
  return {
    files: [wholeTree(root), ...dirty.map(({ path }) => overwrites(`${root}/${path}`))],
    narrower: { paths: null, instead },
    leaves,
  };
}

/** By its path, or by a suffix of the path if only one worktree has it. */
function linkedAt(act: Act, named: string): LeftWorktree | undefined {
  const linked = gitWorktrees(act.common_dir).flatMap(({ id, root }) =>
    id === null || root === null ? [] : [{ id, root }],
  );
  const abs = real(fromCwd(act, named));
  const fitting = linked.filter(({ root }) => root.endsWith(`/${named}`));
  return linked.find(({ root }) => real(root) === abs) ?? (fitting.length === 1 ? fitting[0] : undefined);
}

const real = (path: string): string => attempt(() => realpathSync(path), path);

/** Which files disappear or return is not determined: git leaves uncommitted changes alone. */
export function sparseCheckout(act: Act): Touch {
  const [verb] = act.args;
  return verb === 'list' || verb === 'check-rules' || verb === undefined ? TOUCHES_NOTHING : everything(act);
}

export const everything = (act: Act): Touch => ({
  files: [wholeTree(act.root)],
  resources: MOVES_HEAD,
});

/** `--output=FILE` of diff and similar commands, `archive -o`, `bundle create`. */
export function output(act: Act): Touch {
  const options = readOptions(
    act.args,
    'o= output= output-directory= format= prefix= remote= exec= G= S= U= l= O=',
  );
  const named = act.command === 'archive' ? options.value('o', 'output') : options.value('output');
  const bundled =
    act.command === 'bundle' && act.args[0] === 'create'
      ? act.args.slice(1).find((word) => !(word ?? '').startsWith('-'))
      : undefined;
  const file = named ?? bundled;
  return typeof file === 'string' && file !== '' && file !== '-'
    ? { files: [changes(fromCwd(act, file))] }
    : TOUCHES_NOTHING;
}

export function mergeFile(act: Act): Touch {
  const options = readOptions(
    act.args,
    'L= marker-size= stdout quiet ours theirs union diff3 zdiff3 object-id',
  );
  const [into] = options.operands;
  if (into === null) return { unresolved: 'which file' };
  return options.has('p', 'stdout') || into === undefined
    ? TOUCHES_NOTHING
    : { files: [changes(fromCwd(act, into))] };
}
