/** stash: puts uncommitted changes on a stack that all worktrees share, and takes them back from it. */
import { type Act, type StashTaken, type Touch, TOUCHES_NOTHING } from '../act.ts';
import { type GitOptions, readOptions } from '../options.ts';
import { NO_PATHS, pathsOf } from '../pathspecs.ts';
import { type Dirty, dirtyFiles, listedNames, NAMES_ONLY } from '../questions.ts';
import { changes, isTrackedFile, overwrites } from './shared.ts';
import type { Word } from '../words.ts';

const PUSH =
  'm= message= pathspec-from-file= pathspec-file-nul keep-index no-keep-index include-untracked all staged patch quiet';

export function stash(act: Act): Touch {
  const [verb, ...rest] = act.args;
  if (verb === null) return { unresolved: 'which stash command', resources: ['stash'] };
  if (verb === undefined || verb.startsWith('-')) return push(act, act.args, false);
  return VERBS[verb]?.(act, rest) ?? TOUCHES_NOTHING;
}

export const CLEARS_STASH: Touch = { stash: { verb: 'clear', index: null }, resources: ['stash'] };

const VERBS: Readonly<Record<string, (act: Act, args: readonly Word[]) => Touch>> = {
  push: (act, args) => push(act, args, false),
  save: (act, args) => push(act, args, true),
  pop: (act, args) => take(act, 'pop', args),
  apply: (act, args) => take(act, 'apply', args),
  drop: (act, args) => take(act, 'drop', args),
  branch: (act, args) => take(act, 'branch', args.slice(1)),
  clear: () => CLEARS_STASH,
  store: () => ({ resources: ['stash'] }),
};

/** The operands of `save` are words of its message. */
function push(act: Act, args: readonly Word[], is_save: boolean): Touch {
  const options = readOptions(args, PUSH);
  const { paths, is_partial, partly } = is_save ? NO_PATHS : pathsOf(act, options);
  if (is_partial && paths.length === 0) return { ...partly, resources: ['stash'] };
  const isAll = options.has('a', 'all');
  const isWithNew = isAll || options.has('u', 'include-untracked');
  const untracked = isAll ? 'ignored' : isWithNew ? 'all' : 'no';
  const dirty = dirtyFiles(act.git, untracked, paths).filter((one) => isTaken(one, options));
  const words = [
    'stash',
    'push',
    ...(isWithNew ? ['-u'] : []),
    ...(options.has('k', 'keep-index') ? ['-k'] : []),
  ];
  return {
    ...partly,
    files: dirty.map(({ path }) => overwrites(path)),
    saves: dirty.length > 0,
    resources: ['stash', 'index'],
    narrower: { paths: words },
  };
}

function isTaken(one: Dirty, options: GitOptions): boolean {
  if (one.kind === 'submodule') return false;
  if (options.has('S', 'staged')) return isTrackedFile(one) && one.staged !== '.';
  if (options.has('k', 'keep-index')) return one.kind !== 'tracked' || one.unstaged !== '.';
  return true;
}

function take(act: Act, verb: StashTaken['verb'], args: readonly Word[]): Touch {
  const { operands } = readOptions(args, 'index quiet');
  const [named = '0'] = operands;
  if (named === null) return { unresolved: 'which stash entry', resources: ['stash'] };
  const entry = /^\d+$/.test(named) ? `stash@{${named}}` : named;
  const index = indexOf(entry);
  // Entries saved earlier in the same line are on top, so those that exist now are further down.
  const below = index === null ? null : index - act.saved_before;
  const resources = verb === 'apply' ? [] : (['stash'] as const);
  if (below !== null && below < 0) return { resources };
  const taken: Touch = below === null ? { resources } : { stash: { verb, index: below }, resources };
  if (verb === 'drop') return taken;
  return { ...taken, files: inEntry(act, below === null ? entry : `stash@{${below}}`).map(changes) };
}

/** Null: the entry is named in another way, by its id or by time. */
const indexOf = (entry: string): number | null => {
  const [, index] = /^(?:refs\/)?stash(?:@\{(\d+)\})?$/.exec(entry) ?? [];
  return index === undefined ? (/^(?:refs\/)?stash$/.test(entry) ? 0 : null) : Number(index);
};

/** Untracked files are in a separate commit, the third parent. */
function inEntry(act: Act, entry: string): readonly string[] {
  return listedNames(act.git('stash', 'show', '--include-untracked', ...NAMES_ONLY, entry));
}
