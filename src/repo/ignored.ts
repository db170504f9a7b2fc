// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Asks git which files it ignores: one process, started only when a decision depends on it. The repository may be
 * hostile, including its configuration: plumbing that starts no program, git by absolute path, and a clean environment.
 */
import { GIT_ENVIRONMENT, GIT_SAFELY, gitProgram } from './git-program.ts';

const OUTPUT_BYTES = 4 << 20;

/**
 * Which of these absolute paths below `root` git ignores. Tracked files are never ignored, whatever the patterns say.
 * Empty if git cannot tell within `limit_ms`. The limit is well above the usual 5 ms, because an empty answer denies a
 * write and a busy machine is no reason for that.
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
