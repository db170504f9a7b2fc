/** Runs git to add and remove worktrees: without hooks and prompts, and again if another git has locked the file it writes. */
import { spawnSync } from 'node:child_process';
import { blockThread } from '../repo/block-thread.ts';
import { monotonic } from '../repo/clock.ts';
import { gitProgram } from '../repo/git-program.ts';
import type { Environment } from '../repo/user-dirs.ts';

/** Returns what it printed. @throws GitFailed */
export type RunGit = (cwd: string, ...args: readonly string[]) => string;

export class GitFailed extends Error {}

/** As the client sets them when it makes a worktree. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=',
  'core.askPass=',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((one) => ['-c', one]);

/** Dropped, because guard may have been started with variables for another repository. */
const ELSEWHERE =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_\w+|NAMESPACE|PREFIX)$/;

/** Locks that git takes for a single write and, except for packed-refs, does not wait for. */
const TAKEN = /could not lock config file|Unable to create '[^']*\.lock'|cannot lock ref/;
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 250;

const OUTPUT_BYTES = 256 << 20;

interface Running {
  readonly env: Environment;
  /** On the clock of monotonic(); nothing is tried after that. */
  readonly until_ms: number;
}

export function gitFor({ env, until_ms }: Running): RunGit {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !ELSEWHERE.test(name)));
  const once: RunGit = (cwd, ...args) => {
    const done = spawnSync(gitProgram() ?? 'git', [...SETTINGS, ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...own, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
      timeout: Math.max(1, Math.floor(until_ms - monotonic())),
      killSignal: 'SIGKILL',
      maxBuffer: OUTPUT_BYTES,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (done.error === undefined && done.status === 0) return done.stdout;
    const said = done.error === undefined ? done.stderr.trim() : done.error.message;
    throw new GitFailed(said === '' ? `git ended with ${String(done.status ?? done.signal)}` : said);
  };
  return (cwd, ...args) => {
    for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(pause_ms * 1.6, LAST_PAUSE_MS)) {
      try {
        return once(cwd, ...args);
      } catch (error) {
        const isTaken = error instanceof GitFailed && TAKEN.test(error.message);
        if (!isTaken || monotonic() + pause_ms > until_ms) throw error;
      }
      // Randomised, so that waiting processes do not retry in step.
      blockThread(pause_ms * (0.5 + Math.random()));
    }
  };
}

/** Null: git failed. */
export function ifSaid(git: RunGit, cwd: string, ...args: readonly string[]): string | null {
  try {
    return git(cwd, ...args).trim();
  } catch (error) {
    if (error instanceof GitFailed) return null;
    throw error;
  }
}
