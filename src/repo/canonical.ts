/**
 * One file, one path (design section 5): every spelling of a file becomes the same `RepoPath`, so leases and
 * baselines cannot be bypassed by spelling a path differently.
 *
 * `..` is resolved in the text before links are followed, as the clients' file tools do (`path.resolve`).
 */
import { checkoutWords } from '../core/checkout-words.ts';
import { type BigIntStats, lstatSync } from 'node:fs';
import { isAbsolute, resolve, sep } from 'node:path';
import type { RepoPath } from '../core/types.ts';
import { errnoOf, isAbsent } from './errno.ts';
import { assumedFold, type Fold, foldPath } from './fold.ts';
import { readInstall } from './install.ts';
import { locateReal, type Looks } from './locate.ts';
import type { Repo } from './repo.ts';
import { pathError } from './path-error.ts';
import { realPath } from './real-path.ts';

export interface Target {
  /** As it was given, for use in answers. */
  readonly given: string;
  /** Absolute, without following links. */
  readonly abs: string;
  /** The file that would be opened. */
  readonly real: string;
  /** The key in the ledger. */
  readonly path: RepoPath;
  readonly repo: Repo;
  readonly kind: 'file' | 'missing' | 'directory' | 'special';
  /** Number of hard links; 0 for a missing file. */
  readonly links: number;
  /** `<device>:<inode>`; null for a missing file. */
  readonly inode: string | null;
}

const MAX_CHARS = 4096;

function checked(given: string): string {
  if (given === '') throw pathError(given, 'it is empty');
  if (given.includes('\0')) throw pathError(given, 'it contains a NUL character');
  if (given.length > MAX_CHARS) throw pathError(given, `it is longer than ${MAX_CHARS} characters`);
  // A lone surrogate is written to disk as U+FFFD in any case.
  return given.toWellFormed();
}

function absolutePath(given: string, cwd: string, home: string | undefined): string {
  const text = checked(given);
  if (text === '~' || text.startsWith('~/') || text.startsWith(`~${sep}`)) {
    if (home === undefined || !isAbsolute(home))
      throw pathError(given, 'the home directory is not known (HOME)');
    return resolve(home, `.${sep}${text.slice(1)}`);
  }
  if (isAbsolute(text)) return resolve(text);
  const base = checked(cwd);
  if (!isAbsolute(base))
    throw pathError(given, 'it is relative, and the directory it is relative to is not known');
  return resolve(base, text);
}

function lstatOrNull(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isAbsent(errnoOf(error))) return null;
    throw pathError(path, errnoOf(error));
  }
}

function kindOf(stat: BigIntStats | null): Target['kind'] {
  if (stat === null) return 'missing';
  if (stat.isFile()) return 'file';
  return stat.isDirectory() ? 'directory' : 'special';
}

const slashed = (path: string): string => (sep === '/' ? path : path.split(sep).join('/'));

function below(root: string, real: string): string {
  const rel = real.slice(root.endsWith(sep) ? root.length : root.length + 1);
  return rel === '' ? '.' : slashed(rel);
}

function foldOf({ initialised, state_dir }: Repo, real: string, looks: Looks | undefined): Fold {
  if (!initialised) return assumedFold(real);
  return readInstall(state_dir, looks?.installs);
}

function repoPath(repo: Repo, real: string, looks: Looks | undefined): RepoPath {
  const fold = foldOf(repo, real, looks);
  if (!repo.initialised) return foldPath(slashed(real), fold);
  const rel = foldPath(below(repo.root, real), fold);
  return repo.worktree === null ? rel : `//${repo.worktree}/${rel}`;
}

/**
 * Resolves a path without opening anything. Throws GUARD_ERR_PATH for a path that cannot name a file (empty, NUL,
 * over 4,096 characters, link loop, unsearchable directory), and GUARD_ERR_STATE_DIR if install.json is damaged.
 */
export function resolveTarget(
  given: string,
  cwd: string,
  env: { readonly home: string | undefined },
  looks?: Looks,
): Target {
  const abs = absolutePath(given, cwd, env.home);
  const real = realPath(abs);
  const stat = lstatOrNull(real);
  const repo = locateReal(real, stat?.isDirectory() ?? false, process.env, looks);
  return {
    given,
    abs,
    real,
    path: repoPath(repo, real, looks),
    repo,
    kind: kindOf(stat),
    links: Number(stat?.nlink ?? 0n),
    inode: stat === null ? null : `${stat.dev}:${stat.ino}`,
  };
}

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Printable, as most names are: to know the classes of the pattern below takes 0.3 ms. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

function placed(path: RepoPath): string {
  if (path.startsWith('@git//')) return `@git/${path.slice('@git//'.length)}`;
  if (!path.startsWith('//')) return path;
  const [, worktree, rel] = /^\/\/([^/]+)\/(.*)$/s.exec(path) ?? [];
  return worktree === undefined || rel === undefined ? path : `${rel} (${checkoutWords(worktree)})`;
}

/** For people: `src/a.ts`, or `src/a.ts (worktree x)` for a file of a linked worktree. Always one line. */
export function displayPath(path: RepoPath): string {
  const shown = placed(path);
  if (isAscii(shown)) return shown;
  // Control characters, line separators and direction overrides would let a file name rewrite a terminal line.
  return shown.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escaped);
}
