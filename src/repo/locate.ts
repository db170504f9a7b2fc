/**
 * Which repository, and so which ledger, a file belongs to: the outermost initialised repository that contains its
 * canonical path (design section 5). Neither `cd`, nor a nested `git init`, nor a submodule changes that. Runs no git
 * process, and uses nothing from the environment (`GIT_DIR` would let a caller choose its ledger) except the location
 * of this user's marks.
 */
import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { type GitDir, isPresent, readGitDir } from './git-dir.ts';
import type { Install } from './install.ts';
import { pathError } from './path-error.ts';
import { byPointer } from './joined.ts';
import { choose, lost } from './known/choose.ts';
import { knownDirs } from './known/mark.ts';
import { realPath } from './real-path.ts';
import { textOf } from './small-file.ts';
import type { Repo } from './repo.ts';
import type { Environment } from './user-dirs.ts';
import type { Checkout } from './checkout.ts';

export type { Repo } from './repo.ts';

const isOwn = (state_dir: string): boolean =>
  attempt(() => {
    const uid = process.getuid?.();
    return uid === undefined || lstatSync(state_dir).uid === uid;
  }, false);

const saidIn = (state_dir: string, known_worktree: boolean) => ({
  known_worktree,
  own: isOwn(state_dir),
  pointer: textOf(`${state_dir}/ledger`),
});

function isMarker(dir: string): boolean {
  try {
    const stat = lstatSync(dir, { throwIfNoEntry: false });
    return stat !== undefined && (stat.isDirectory() || stat.isSymbolicLink());
  } catch {
    return isPresent(dir);
  }
}

function gitCheckout(root: string, git: GitDir): Checkout {
  const state_dir = join(git.common_dir, 'guard');
  const initialised = isPresent(state_dir);
  return {
    kind: 'git',
    root,
    state_dir,
    initialised,
    common_dir: git.common_dir,
    worktree: git.worktree,
    said: saidIn(state_dir, git.known),
  };
}

function plainCheckout(root: string): Checkout | null {
  const state_dir = join(root, '.guard');
  if (!isMarker(state_dir)) return null;
  const said = saidIn(state_dir, false);
  return { kind: 'plain', root, state_dir, initialised: true, common_dir: null, worktree: null, said };
}

/** A `.guard` next to a `.git` without state counts, unless it was committed (known/choose.ts). */
function checkoutsAt(dir: string): Checkout[] {
  const git = readGitDir(dir);
  const checkout = git === null ? null : gitCheckout(dir, git);
  const plain = checkout?.initialised === true ? null : plainCheckout(dir);
  return [plain, checkout].filter((one) => one !== null);
}

/** Cache for files located together, and within one hook event. Does not include where a file leads. */
export interface Looks {
  /** By canonical path of a directory. */
  readonly checkouts: Map<string, readonly Checkout[]>;
  /** By state directory. */
  readonly installs: Map<string, Install>;
}

export const newLooks = (): Looks => ({ checkouts: new Map(), installs: new Map() });

function lookAt(dir: string, looks: Looks | undefined): readonly Checkout[] {
  const found = looks?.checkouts.get(dir) ?? checkoutsAt(dir);
  looks?.checkouts.set(dir, found);
  return found;
}

/** Innermost first. */
function checkoutsAbove(dir: string, looks: Looks | undefined): Checkout[] {
  const found: Checkout[] = [];
  for (let at = dir; ; at = dirname(at)) {
    found.push(...lookAt(at, looks));
    if (dirname(at) === at) return found;
  }
}

/** Nearly always there is a single state directory, inside a git directory, where it cannot have been committed. */
function decides(dir: string, around: readonly Checkout[], env: Environment): Checkout | undefined {
  const found = around.filter(({ initialised }) => initialised);
  const [first] = found;
  if (first?.kind === 'git' && found.length === 1) return first;
  const chosen = first && choose(found, around, env);
  return chosen ?? (knownDirs(env).some((at) => existsSync(at)) ? lost(dir, around, env) : undefined);
}

const repoOf = ({ said, ...repo }: Checkout): Repo => (said.pointer ? byPointer(repo, said.pointer) : repo);

/** `real` is canonical and need not exist; `is_directory` says whether it may itself be a root. */
export function locateReal(
  real: string,
  is_directory: boolean,
  env: Environment = process.env,
  looks?: Looks,
): Repo {
  const dir = is_directory ? real : dirname(real);
  const found = checkoutsAbove(dir, looks);
  const outermost = decides(dir, found, env);
  if (outermost !== undefined) {
    // A linked worktree of the same repository, nested in another of its checkouts, is still a separate checkout.
    const nested = found.find((it) => it.said.known_worktree && it.state_dir === outermost.state_dir);
    return repoOf({ ...(nested ?? outermost), initialised: true });
  }
  const innermost = found.find(({ kind }) => kind === 'git');
  if (innermost !== undefined) return repoOf(innermost);
  const nowhere = { initialised: false, common_dir: null, worktree: null };
  return { kind: 'outside', root: dir, state_dir: join(dir, '.guard'), ...nowhere };
}

const isDirectory = (path: string): boolean => attempt(() => statSync(path).isDirectory(), false);

/** The repository of a directory, or of a file that need not exist. Throws GUARD_ERR_PATH for an unusable path. */
export function locateRepo(dirOrFile: string, env: Environment = process.env, looks?: Looks): Repo {
  const abs = attempt(() => resolve(dirOrFile), null);
  if (abs === null) throw pathError(dirOrFile, 'no_directory');
  const real = realPath(abs);
  return locateReal(real, isDirectory(real), env, looks);
}
