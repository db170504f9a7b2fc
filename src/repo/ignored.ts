// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Which files git ignores, by git itself: one process, only where an answer depends on it. The repository may be hostile, and
 * its configuration with it: plumbing that starts no program, a git by absolute path, an environment of its own.
 */
import { GIT_ENVIRONMENT, GIT_SAFELY, gitProgram } from './git-program.ts';

const OUTPUT_BYTES = 4 << 20;

/**
 * Of these absolute paths below `root` those that git ignores. What it tracks it does not ignore, whatever the patterns say. Empty
 * where git cannot tell in `limit_ms`: that is no usual 5 ms, because a write is denied then, and a busy machine is no reason.
 */
export function ignoredAmong(root: string, paths: readonly string[], limit_ms: number): ReadonlySet<string> {
  const program = gitProgram();
  if (program === null || paths.length === 0) return new Set();
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const run = spawnSync(program, [...GIT_SAFELY, '-C', root, 'check-ignore', '-z', '--stdin'], {
    encoding: 'utf8',
    env: GIT_ENVIRONMENT,
    input: paths.map((path) => `${path}\0`).join(''),
    timeout: limit_ms,
    killSignal: 'SIGKILL',
    maxBuffer: OUTPUT_BYTES,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return new Set(run.status === 0 ? run.stdout.split('\0').filter((path) => path !== '') : []);
}
