/** Checkouts of submodules: each has a git directory and a configuration of its own. Paths are relative to the root above. */
import { join } from 'node:path';
import { absoluteIn, type Act, type Touch, type TouchedFile } from './act.ts';
import { changes, overwrites, wholeTree } from './acts/shared.ts';
import { type Git, gitAt, type Where } from './ask.ts';
import type { GitOptions } from './options.ts';
import { checkoutOf } from './place.ts';
import { between, dirtyFiles } from './questions.ts';

/** Asked in the checkout of one: no variable and no setting of the act above is for it. Null: there is none. */
export function gitWithin(root: string, asking: Pick<Where, 'env' | 'until_ms'>): Git | null {
  const at = checkoutOf({ cwd: root, git_dir: null, work_tree: null }, {});
  if (at === null || at.root !== at.cwd) return null;
  const { env, until_ms } = asking;
  const { root: cwd, common_dir } = at;
  return gitAt({ env, until_ms, cwd, common_dir, variables: {}, settings: [], pathspecs: [] });
}

interface Module {
  readonly path: string;
  /** The commit that is to be checked out in it. */
  readonly commit: string;
}

/** As the index has them, or a tree. */
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

/** Whether the act reaches into them: as it says, or as the configuration has it. */
function isReachingIn(act: Act, options: GitOptions): boolean {
  if (options.has('no-recurse-submodules') || act.kind(join(act.root, '.gitmodules')) === null) return false;
  if (options.has('recurse-submodules')) return true;
  const named = act.settings.findLast((one) => /^submodule\.recurse(?:=|$)/i.test(one));
  if (named !== undefined) return /^[^=]*(?:=(?:true|yes|on|[1-9]\d*))?$/i.test(named);
  // Our own questions switch it off on their command line.
  const said = act.git('config', '-z', '--show-scope', '--type=bool', '--get-all', 'submodule.recurse') ?? '';
  const words = said.split('\0');
  const values = words.filter((_, nth) => nth % 2 === 1 && words[nth - 1] !== 'command');
  return values.at(-1) === 'true';
}

/** What is in no commit in them is lost, and the rest becomes what their commit has. */
const resetModules = (act: Act, modules: readonly Module[]): readonly TouchedFile[] =>
  modules.flatMap(({ path, commit }) => {
    const lost = lostIn(act, path, 'no');
    const known = new Set(lost.map((file) => file.path));
    const others = between(act.gitIn(absoluteIn(act, path)) ?? (() => null), 'HEAD', commit) ?? [];
    const names = others.map((one) => `${path}/${one.path}`);
    return [...lost, ...names.filter((name) => !known.has(name)).map(changes)];
  });

/** Their checkouts go: by force with what is in no commit. */
export const goneModules = (
  act: Act,
  paths: readonly string[],
  is_forced: boolean,
): readonly TouchedFile[] => [
  ...paths.map(wholeTree),
  ...(is_forced ? paths.flatMap((path) => lostIn(act, path, 'all')) : []),
];

/** What is in no commit in the submodule at `path`. */
export function lostIn(act: Act, path: string, untracked: 'no' | 'all'): readonly TouchedFile[] {
  const git = act.gitIn(absoluteIn(act, path));
  const dirty = git === null ? [] : dirtyFiles(git, untracked).filter(({ kind }) => kind !== 'submodule');
  return dirty.map((file) => overwrites(`${path}/${file.path}`));
}

/** What an act does in submodules, where it reaches into them. */
export function inModules(
  act: Act,
  options: GitOptions,
  paths: readonly string[] = [],
  tree: string | null = null,
): readonly TouchedFile[] {
  return isReachingIn(act, options) ? resetModules(act, modulesOf(act, paths, tree)) : [];
}

/** With what it does in submodules beside what it does here. */
export function withModules(touch: Touch, within: readonly TouchedFile[]): Touch {
  if (within.length === 0) return touch;
  const instead = 'With --no-recurse-submodules git leaves the checkouts of submodules alone.';
  return { ...touch, files: [...(touch.files ?? []), ...within], narrower: { paths: null, instead } };
}
