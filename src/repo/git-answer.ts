/** Asks git about a repository that may be hostile: synchronously, with a time limit, and such that git starts nothing. */
import { GIT_ENVIRONMENT, GIT_SAFELY, gitProgram, quotedForGit } from './git-program.ts';

interface Question {
  readonly root: string;
  readonly args: readonly string[];
  readonly input?: string;
  readonly limit_ms: number;
  /** Additional object directories, from other clones. */
  readonly behind?: readonly string[];
}

const OUTPUT_BYTES = 32 << 20;

/** Null if git fails or takes too long. */
export function gitAnswer({ root, args, input = '', limit_ms, behind = [] }: Question): Buffer | null {
  const program = gitProgram();
  if (program === null || limit_ms <= 0) return null;
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const run = spawnSync(program, [...GIT_SAFELY, '-C', root, ...args], {
    env: behind.length === 0 ? GIT_ENVIRONMENT : { ...GIT_ENVIRONMENT, ...alternates(behind) },
    input,
    timeout: limit_ms,
    killSignal: 'SIGKILL',
    maxBuffer: OUTPUT_BYTES,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return run.status === 0 ? run.stdout : null;
}

const alternates = (dirs: readonly string[]) => ({
  GIT_ALTERNATE_OBJECT_DIRECTORIES: dirs.map(quotedForGit).join(':'),
});
