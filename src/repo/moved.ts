/**
 * What git knows about a missing file: renamed or deleted in the index, or in a commit. Only used for a denial that is
 * already certain, never while a write waits for approval.
 *
 * The repository may be hostile, including its configuration: plumbing that starts no program (external diff, text
 * conversion, filter, signature check, file system monitor), fetches and writes nothing, and git by absolute path.
 */
import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { plain } from '../core/plain.ts';
import { monotonic } from './clock.ts';
import { GIT_ENVIRONMENT, GIT_LITERALLY, gitProgram } from './git-program.ts';

export interface GitFate {
  /** Relative to the root. Null: it was deleted. */
  readonly moved_to: string | null;
  /** The last commit that touched it. Absent: not committed yet. */
  readonly commit?: Commit;
}

interface Commit {
  readonly id: string;
  readonly author: string;
}

/** Exact renames are found regardless of their number; beyond this many pairs, contents are not compared. */
const RENAMES = [
  '-r',
  '-M',
  '-l500',
  '--no-ext-diff',
  '--no-textconv',
  '--diff-filter=RD',
  '--name-status',
  '-z',
];
const OUTPUT_BYTES = 4 << 20;
const AUTHOR_CHARS = 80;

export interface FateQuestion {
  readonly root: string;
  /** The git directory of this checkout; a linked worktree has its own. */
  readonly git_dir: string;
  /** Relative to the root. */
  readonly path: string;
  /** Wall clock time at which the file existed. */
  readonly seen_ms: number;
  /** On the clock of monotonic(). git is killed then, and nothing is known. */
  readonly until_ms: number;
}

/** Compares the index with HEAD as it was when the file was seen: one comparison, however often it was moved or committed. */
export function fateInGit({ root, git_dir, path, seen_ms, until_ms }: FateQuestion): GitFate | null {
  const git = gitAt(root, until_ms);
  if (git === null) return null;
  for (const base of [...headsSince(git_dir, seen_ms), 'HEAD']) {
    const moved_to = changeOf(git('diff-index', '--cached', ...RENAMES, base, '--'), path);
    if (moved_to === undefined) continue;
    const commit = base === 'HEAD' ? null : lastCommit(git, base, path);
    return commit === null ? { moved_to } : { moved_to, commit };
  }
  return null;
}

const LOG_BYTES = 65_536;
const HEADS = 5;

/**
 * The values of HEAD before each of its moves since then, oldest first, because there may be several in one second.
 * Read without git, which has no plumbing for this.
 */
function headsSince(git_dir: string, since_ms: number): readonly string[] {
  const since_s = Math.floor(since_ms / 1000);
  const lines = tailOf(join(git_dir, 'logs', 'HEAD'), LOG_BYTES).split('\n');
  const moves = lines.flatMap((line) => {
    const [, before = '', at = ''] =
      /^([0-9a-f]{40,64}) [0-9a-f]{40,64} .*> (\d+) [+-]\d+(?:\t|$)/.exec(line) ?? [];
    return before !== '' && !/^0+$/.test(before) && Number(at) >= since_s ? [before] : [];
  });
  return [...new Set(moves)].slice(0, HEADS);
}

/** The end of a regular file; empty if there is none. */
const tailOf = (file: string, most_bytes: number): string =>
  attempt(() => {
    if (!lstatSync(file).isFile()) return '';
    const fd = openSync(file, 'r');
    try {
      const { size } = fstatSync(fd);
      const buffer = Buffer.alloc(Math.min(size, most_bytes));
      return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, size - buffer.length));
    } finally {
      closeSync(fd);
    }
  }, '');

type Git = (...args: readonly string[]) => string | null;

function gitAt(root: string, until_ms: number): Git | null {
  const program = gitProgram();
  if (program === null) return null;
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  return (...args) => {
    const left_ms = Math.floor(until_ms - monotonic());
    if (left_ms <= 0) return null;
    const run = spawnSync(program, [...GIT_LITERALLY, '-C', root, ...args], {
      encoding: 'utf8',
      env: GIT_ENVIRONMENT,
      timeout: left_ms,
      killSignal: 'SIGKILL',
      maxBuffer: OUTPUT_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return run.status === 0 ? run.stdout : null;
  };
}

/** The new name; null if deleted, undefined if the list does not mention it. */
function changeOf(listed: string | null, path: string): string | null | undefined {
  const words = (listed ?? '').split('\0');
  for (let at = 0; at + 1 < words.length;) {
    const isRename = (words[at] ?? '').startsWith('R');
    if (words[at + 1] === path) return isRename ? (words[at + 2] ?? null) : null;
    at += isRename ? 3 : 2;
  }
  return undefined;
}

function lastCommit(git: Git, base: string, path: string): Commit | null {
  const said = git('rev-list', '-1', '--format=%h%x00%an', 'HEAD', `^${base}`, '--', path);
  const [, id, author = ''] = /^commit [0-9a-f]+\n([0-9a-f]+)\0(.*)/.exec(said ?? '') ?? [];
  return id === undefined ? null : { id, author: plain(author).slice(0, AUTHOR_CHARS) };
}
