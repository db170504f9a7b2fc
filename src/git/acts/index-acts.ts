/** add, commit, rm, mv, clean: what goes into the index or a commit, and files that are removed. */
import { basename, relative } from 'node:path';
import { absoluteIn, fromCwd, TOUCHES_NOTHING } from '../act.ts';
import type { Act, Resource, Touch, TouchedFile } from '../act.ts';
import { known } from '../words.ts';
import { readOptions } from '../options.ts';
import { goneModules } from '../modules.ts';
import { pathsOf } from '../pathspecs.ts';
import { cleaned, dirtyFiles, trackedFiles } from '../questions.ts';
import { currentBranch } from '../heads.ts';
import { changedFiles, changes, exists, lossesAmong, overwrites, sweeps, wholeTree } from './shared.ts';

const ADD =
  'chmod= pathspec-from-file= pathspec-file-nul all update patch edit interactive dry-run force intent-to-add refresh renormalize verbose ignore-errors ignore-missing no-all ignore-removal no-ignore-removal sparse';

export function add(act: Act): Touch {
  const options = readOptions(act.args, ADD);
  if (options.has('n', 'dry-run', 'refresh')) return TOUCHES_NOTHING;
  const { paths, is_partial, partly } = pathsOf(act, options);
  const isAll = options.has('A', 'all', 'u', 'update', 'renormalize');
  if (paths.length === 0 && (is_partial || !isAll)) return { ...partly, resources: ['index'] };
  const untracked = options.has('u', 'update') ? 'no' : options.has('f', 'force') ? 'ignored' : 'all';
  const dirty = dirtyFiles(act.git, untracked, paths).filter(({ unstaged }) => unstaged !== '.');
  const files = dirty.map(({ path }) => sweeps(path));
  return { ...partly, files, resources: ['index'], narrower: { paths: ['add'] } };
}

const COMMIT =
  'C= c= F= m= t= file= message= template= author= date= fixup= squash= reuse-message= reedit-message= cleanup= trailer= pathspec-from-file= pathspec-file-nul all amend include only dry-run patch interactive no-verify signoff allow-empty allow-empty-message no-edit edit quiet verbose reset-author short branch porcelain long null status no-status no-post-rewrite verify';

export function commit(act: Act): Touch {
  const options = readOptions(act.args, COMMIT);
  if (options.has('dry-run', 'short', 'porcelain', 'long')) return TOUCHES_NOTHING;
  const branch = currentBranch(act.git_dir);
  const resources: readonly Resource[] = ['index', ...(branch === null ? [] : ([`refs/${branch}`] as const))];
  const { paths, is_partial, partly } = pathsOf(act, options);
  const amend = options.has('amend') ? ['--amend'] : [];
  const message = options.value('m', 'message');
  const words = typeof message === 'string' ? ['-m', message] : [];
  const narrower = { paths: ['commit', ...amend, ...words] };
  if (is_partial && paths.length === 0) return { ...partly, resources };
  if (paths.length > 0 && !options.has('i', 'include'))
    return { ...partly, files: changedFiles(act, paths).map(sweeps), resources, narrower };
  const dirty = dirtyFiles(act.git, 'no').filter(({ kind }) => kind !== 'untracked');
  const isAll = options.has('a', 'all');
  const taken = dirty.filter(({ staged }) => isAll || staged !== '.').map(({ path }) => path);
  const named = paths.length === 0 ? [] : changedFiles(act, paths);
  return { ...partly, files: [...new Set([...taken, ...named])].map(sweeps), resources, narrower };
}

export function remove(act: Act): Touch {
  const options = readOptions(
    act.args,
    'pathspec-from-file= pathspec-file-nul cached force dry-run quiet ignore-unmatch sparse',
  );
  if (options.has('n', 'dry-run')) return TOUCHES_NOTHING;
  const { paths, partly } = pathsOf(act, options);
  if (paths.length === 0 || options.has('cached')) return { ...partly, resources: ['index'] };
  const files = (trackedFiles(act.git, paths) ?? []).filter((path) => exists(act, path));
  const is_forced = options.has('f', 'force');
  const modules = files.filter((path) => act.kind(absoluteIn(act, path)) === 'directory');
  const plain = files.filter((path) => !modules.includes(path));
  return {
    ...partly,
    files: [
      ...(is_forced ? lossesAmong(act, plain, paths) : plain.map(changes)),
      ...goneModules(act, modules, is_forced),
    ],
    resources: ['index'],
    narrower: { paths: ['rm'] },
  };
}

/** A directory is moved with everything in it, tracked or not. */
export function move(act: Act): Touch {
  const options = readOptions(act.args, 'force dry-run verbose sparse');
  if (options.has('n', 'dry-run')) return TOUCHES_NOTHING;
  const words = [...options.operands, ...(options.paths ?? [])];
  const [to = null] = words.slice(-1);
  const sources = known(words.slice(0, -1));
  const partly = words.includes(null) ? { unresolved: 'which files' } : {};
  const isInto = to !== null && act.kind(fromCwd(act, to)) === 'directory';
  const movedAs = (path: string, as: string): TouchedFile => {
    const isTree = act.kind(fromCwd(act, path)) === 'directory';
    return isTree ? wholeTree(fromCwd(act, as)) : changes(fromCwd(act, as));
  };
  const goals =
    to === null ? [] : sources.map((path) => movedAs(path, isInto ? `${to}/${basename(path)}` : to));
  const files = [...sources.map((path) => movedAs(path, path)), ...goals];
  return { ...partly, files, resources: ['index'] };
}

/** git itself lists what it would remove; a directory in that list is removed as a whole. */
export function clean(act: Act): Touch {
  const options = readOptions(act.args, 'e= exclude= force interactive dry-run quiet');
  if (options.has('n', 'dry-run')) return TOUCHES_NOTHING;
  const { paths, is_partial, partly } = pathsOf(act, options);
  if (is_partial) return partly;
  const force = '-'.concat('f'.repeat(act.args.some((word) => /^-[a-z]*f[a-z]*f/i.test(word ?? '')) ? 2 : 1));
  const letters = ['d', 'x', 'X'].filter((letter) => options.has(letter)).map((letter) => `-${letter}`);
  const excludes = act.args.flatMap((word, at) =>
    word === '-e' || word === '--exclude'
      ? [`--exclude=${act.args[at + 1] ?? ''}`]
      : word?.startsWith('--exclude=') === true
        ? [word]
        : [],
  );
  const said = cleaned(act.git, [force, ...letters, ...excludes], paths);
  const files = said.map((name): TouchedFile => {
    const abs = fromCwd(act, name);
    const path = relative(act.root, abs);
    return name.endsWith('/') ? { ...overwrites(path), is_tree: true } : overwrites(path);
  });
  return { files, narrower: { paths: ['clean', '-f', ...letters] } };
}
