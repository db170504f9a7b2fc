/** What a worktree gets besides its commit: ignored files, links to directories, its sparse paths, its hooks. */
import { constants, copyFileSync, lstatSync, mkdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { nearestReal } from '../repo/nearest-real.ts';
import { ifSaid, type RunGit } from './git.ts';

export interface Filling {
  readonly git: RunGit;
  /** Root of the main checkout. */
  readonly root: string;
  readonly dir: string;
}

const INCLUDE = '.worktreeinclude';

/** Copies files of the main checkout that git ignores and `.worktreeinclude` names, with patterns as in `.gitignore`. */
export function copyIncluded(filling: Filling): void {
  const file = join(filling.root, INCLUDE);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true)
    copyIgnored(filling, [`--exclude-from=${file}`]);
}

/** @param patterns options of `git ls-files` that select them */
export function copyIgnored({ git, root, dir }: Filling, patterns: readonly string[]): void {
  const listed = (...how: readonly string[]) =>
    git(root, 'ls-files', '-z', '--others', '--ignored', ...how).split('\0');
  const named = listed(...patterns).filter((path) => path !== '' && !path.endsWith('/'));
  if (named.length === 0) return;
  const ignored = new Set(listed('--exclude-standard'));
  for (const path of named) if (ignored.has(path)) copy(join(root, path), join(dir, path), dir);
}

/** Files from the commit are kept. */
function copy(from: string, to: string, dir: string): void {
  if (!isBelow(dirname(to), dir) || isThere(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else copyFileSync(from, to, constants.COPYFILE_EXCL);
}

/** A link in the commit may lead out of the worktree. */
const isBelow = (path: string, dir: string): boolean =>
  `${nearestReal(path)}${sep}`.startsWith(`${dir}${sep}`);

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Returns those that could be linked: the directory exists, and nothing is in its place in the worktree. */
export function linkDirectories({ root, dir }: Filling, names: readonly string[]): readonly string[] {
  return names.filter((name) =>
    attempt(() => {
      const [from, to] = [join(root, name), join(dir, name)];
      if (!statSync(from).isDirectory() || isThere(to) || !isBelow(dirname(to), dir)) return false;
      symlinkSync(from, to);
      return true;
    }, false),
  );
}

/** The worktree was created without files; this adds those in its directories. */
export function checkOutSparse({ git, root, dir }: Filling, paths: readonly string[]): void {
  if (ifSaid(git, root, 'config', '--local', '--get', 'extensions.worktreeConfig') === null)
    git(root, 'config', '--local', 'claude.enabledWorktreeConfigExtension', 'true');
  git(dir, 'sparse-checkout', 'set', '--cone', '--', ...paths);
  git(dir, 'read-tree', '-m', '-u', '--no-recurse-submodules', 'HEAD');
}

/** A relative hooks path would be resolved in each worktree, so an absolute one is written in its place. */
export function fixHooksPath({ git, root, dir }: Filling): void {
  const path = ifSaid(git, root, 'config', '--local', '--type=path', '--get', 'core.hooksPath');
  if (path === null || path === '' || isAbsolute(path)) return;
  git(dir, 'config', 'core.hooksPath', join(root, path));
}
