/** Queries to git about a checkout, with their answers as data. Paths are relative to the root of the checkout. */
import type { Git } from './ask.ts';

export interface Dirty {
  readonly path: string;
  /** Letters of git-status(1), `.` for unchanged: the index compared with HEAD, then the file compared with the index. */
  readonly staged: string;
  readonly unstaged: string;
  readonly kind: 'tracked' | 'unmerged' | 'untracked' | 'submodule';
}

export interface TreeChange {
  readonly path: string;
  /** `A`, `M`, `D`, `T`: from the first to the second. */
  readonly how: string;
}

/** Splits the output of a command with `-z`. */
export const listedNames = (listed: string | null): readonly string[] =>
  (listed ?? '').split('\0').filter((one) => one !== '');

/** Lists only names, without starting any configured program. */
export const NAMES_ONLY = ['--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];

/** Uncommitted changes inside submodules are not queried, because that would run git with their configuration. */
const STATUS = ['status', '--porcelain=v2', '-z', '--no-renames', '--ignore-submodules=dirty'];

export const dirtyFiles = (
  git: Git,
  untracked: keyof typeof UNTRACKED,
  paths: readonly string[] = [],
): readonly Dirty[] => listedNames(git(...STATUS, ...UNTRACKED[untracked], '--', ...paths)).flatMap(dirtyOf);

const UNTRACKED = {
  no: ['--untracked-files=no'],
  all: ['--untracked-files=all'],
  ignored: ['--untracked-files=all', '--ignored=traditional'],
};

/** `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`, `! path`. */
function dirtyOf(line: string): readonly Dirty[] {
  if (/^[?!] /.test(line)) {
    return [{ path: line.slice(2), staged: '.', unstaged: '?', kind: 'untracked' }];
  }
  const [, type = '', staged = '', unstaged = '', sub = '', path = ''] =
    /^(1) (.)(.) (\S+) \S+ \S+ \S+ \S+ \S+ (.*)$/s.exec(line) ??
    /^(u) (.)(.) (\S+) \S+ \S+ \S+ \S+ \S+ \S+ \S+ (.*)$/s.exec(line) ??
    [];
  if (path === '') return [];
  const kind = type === 'u' ? 'unmerged' : sub.startsWith('S') ? 'submodule' : 'tracked';
  return [{ path, staged, unstaged, kind }];
}

/** `null`: one of them is not a commit or tree. `options`: `--merge-base`, `-R`. */
export function between(
  git: Git,
  from: string,
  to: string,
  options: readonly string[] = [],
): readonly TreeChange[] | null {
  const flags = ['-r', '-z', '--no-renames', '--name-status', '--ignore-submodules=none', ...options];
  const listed = git('diff-tree', ...flags, '--end-of-options', from, to, '--');
  return listed === null ? null : pairs(listed);
}

/** Compares the disk with a tree: the files that would change if the tree's files replaced them. */
export function againstDisk(git: Git, tree: string, paths: readonly string[]): readonly TreeChange[] | null {
  const flags = ['--no-ext-diff', '--no-textconv', '--no-renames', '--name-status', '-z', '--no-relative'];
  const listed = git('diff', ...flags, '--ignore-submodules=dirty', '--end-of-options', tree, '--', ...paths);
  return listed === null ? null : pairs(listed);
}

const pairs = (listed: string): readonly TreeChange[] => {
  const found = listedNames(listed);
  return found.flatMap((how, at) => (at % 2 === 0 ? [{ how, path: found[at + 1] ?? '' }] : []));
};

/** Renames from one to the other: old name to new name. */
export function renames(
  git: Git,
  from: string,
  to: string,
  options: readonly string[],
): ReadonlyMap<string, string> {
  const flags = ['-r', '-z', '-M', '-l500', '--diff-filter=R', '--name-status', ...options];
  const found = listedNames(git('diff-tree', ...flags, '--end-of-options', from, to, '--'));
  const named = new Map<string, string>();
  for (let at = 0; at + 2 < found.length; at += 3) named.set(found[at + 1] ?? '', found[at + 2] ?? '');
  return named;
}

/** Files that the commits change, each compared with its first parent; a range is walked, single commits are not. */
export function changedBy(git: Git, revisions: readonly string[], is_walk = false): readonly string[] | null {
  const flags = ['--format=', ...NAMES_ONLY, '--no-relative'];
  const how = is_walk ? [] : ['--no-walk=unsorted'];
  const listed = git('log', ...how, '-m', '--first-parent', ...flags, ...revisions, '--');
  return listed === null ? null : [...new Set(listedNames(listed).map((path) => path.replace(/^\n+/, '')))];
}

/** Tracked files; null: git does not know one of the paths. */
export function trackedFiles(git: Git, paths: readonly string[]): readonly string[] | null {
  const listed = git('ls-files', '-z', '--full-name', '--', ...paths);
  return listed === null ? null : listedNames(listed);
}

/** What `git clean` would remove, according to git: relative to its working directory, directories with a slash. */
export function cleaned(git: Git, flags: readonly string[], paths: readonly string[]): readonly string[] {
  const said = git('clean', '-n', ...flags, '--', ...paths) ?? '';
  return said.split('\n').flatMap((line) => {
    const [, name] = /^Would remove (.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [unquoted(name)];
  });
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** git quotes names that contain control characters, quotes or backslashes, as in C. */
export function unquoted(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
  const bytes: Buffer[] = [];
  for (const [part] of name.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (!part.startsWith('\\')) bytes.push(Buffer.from(part));
    else if (/^\\[0-7]/.test(part)) bytes.push(Buffer.from([parseInt(part.slice(1), 8) & 255]));
    else {
      const code = ESCAPES[part[1] ?? ''];
      bytes.push(code === undefined ? Buffer.from(part.slice(1)) : Buffer.from([code]));
    }
  }
  return Buffer.concat(bytes).toString();
}
