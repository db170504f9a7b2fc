/** Submodule checkouts: each has its own git directory and configuration. Paths are relative to the superproject's root. */
import { join } from 'node:path';
import { absoluteIn, type Act, type Touch, type TouchedFile } from './act.ts';
import { changes, overwrites, wholeTree } from './acts/shared.ts';
import { type Git, gitAt, type Where } from './ask.ts';
import type { GitOptions } from './options.ts';
import { checkoutOf } from './place.ts';
import { between, dirtyFiles } from './questions.ts';

/** git in a submodule's checkout, without variables and settings of the outer command. Null: there is no such checkout. */
export function gitWithin(root: string, asking: Pick<Where, 'env' | 'until_ms'>): Git | null {
  const at = checkoutOf({ cwd: root, git_dir: null, work_tree: null }, {});
  if (at === null || at.root !== at.cwd) return null;
  const { env, until_ms } = asking;
  const { root: cwd, common_dir } = at;
  return gitAt({ env, until_ms, cwd, common_dir, variables: {}, settings: [], pathspecs: [] });
}

interface Module {
  readonly path: string;
  /** The commit that should be checked out in it. */
  readonly commit: string;
}

/** The submodules in the index, or in a tree. */
export function modulesOf(act: Act, paths: readonly string[], tree: string | null = null): readonly Module[] {
  const within = paths.length > 0 ? paths : [':/'];
  const listed =
    tree === null
      ? act.git('ls-files', '-s', '-z', '--full-name', '--', ...within)
      : act.git('ls-tree', '-r', '-z', '--full-tree', '--end-of-options', tree);
  return (listed ?? '').split('\0').flatMap((line) => {
    const [, commit, path] = /^160000 (?:commit )?([0-9a-f]{40,64})(?: \d)?\t(.*)$/s.exec(line) ?? [];
    return commit === undefined || path === undefined ? [] : [{ path, commit }];
  });
}

/** Whether the command recurses into submodules, according to its options or the configuration. */
function isReachingIn(act: Act, options: GitOptions): boolean {
  if (options.has('no-recurse-submodules') || act.kind(join(act.root, '.gitmodules')) === null) return false;
  if (options.has('recurse-submodules')) return true;
  const named = act.settings.findLast((one) => /^submodule\.recurse(?:=|$)/i.test(one));
  if (named !== undefined) return /^[^=]*(?:=(?:true|yes|on|[1-9]\d*))?$/i.test(named);
  // Our own queries disable it on their command line, so that scope is skipped.
  const said = act.git('config', '-z', '--show-scope', '--type=bool', '--get-all', 'submodule.recurse') ?? '';
  const words = said.split('\0');
  const values = words.filter((_, nth) => nth % 2 === 1 && words[nth - 1] !== 'command');
  return values.at(-1) === 'true';
}

/** Their uncommitted changes are lost, and other files change to the state of the given commit. */
const resetModules = (act: Act, modules: readonly Module[]): readonly TouchedFile[] =>
  modules.flatMap(({ path, commit }) => {
    const lost = lostIn(act, path, 'no');
    const known = new Set(lost.map((file) => file.path));
    const others = between(act.gitIn(absoluteIn(act, path)) ?? (() => null), 'HEAD', commit) ?? [];
    const names = others.map((one) => `${path}/${one.path}`);
    return [...lost, ...names.filter((name) => !known.has(name)).map(changes)];
  });

/** Their checkouts are removed, with uncommitted changes if forced. */
export const goneModules = (
  act: Act,
  paths: readonly string[],
  is_forced: boolean,
): readonly TouchedFile[] => [
  ...paths.map(wholeTree),
  ...(is_forced ? paths.flatMap((path) => lostIn(act, path, 'all')) : []),
];

/** The uncommitted changes in the submodule at `path`. */
export function lostIn(act: Act, path: string, untracked: 'no' | 'all'): readonly TouchedFile[] {
  const git = act.gitIn(absoluteIn(act, path));
  const dirty = git === null ? [] : dirtyFiles(git, untracked).filter(({ kind }) => kind !== 'submodule');
  return dirty.map((file) => overwrites(`${path}/${file.path}`));
}

/** What a command does in submodules, if it recurses into them. */
export function inModules(
  act: Act,
  options: GitOptions,
  paths: readonly string[] = [],
  tree: string | null = null,
): readonly TouchedFile[] {
  return isReachingIn(act, options) ? resetModules(act, modulesOf(act, paths, tree)) : [];
}

/** Adds what the command does in submodules to what it does here. */
export function withModules(touch: Touch, within: readonly TouchedFile[]): Touch {
  if (within.length === 0) return touch;
  const instead = 'With --no-recurse-submodules, git leaves submodule checkouts alone.';
  return { ...touch, files: [...(touch.files ?? []), ...within], narrower: { paths: null, instead } };
}
