/** What git knows about a file: for advice, and for the mode of a file that is gone. git's own content is never touched. */
import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { shellWord } from '../../core/shell-word.ts';
import type { Digest } from '../../core/types.ts';
import type { Target } from '../../repo/canonical.ts';
import { digestBytes } from '../../repo/digest.ts';
import { GIT_ENVIRONMENT, GIT_LITERALLY, gitProgram } from '../../repo/git-program.ts';

const MAX_BYTES = 16 << 20;

/** Runs git as refusals do (repo/git-program.ts): nothing that a repository's configuration names is run. */
function git({ repo }: Target, ...args: readonly string[]): Buffer | null {
  const program = gitProgram();
  if (program === null) return null;
  try {
    return execFileSync(program, [...GIT_LITERALLY, '-C', repo.root, ...args], {
      env: GIT_ENVIRONMENT,
      maxBuffer: MAX_BYTES,
      timeout: 5_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}

const inRepo = ({ repo, real }: Target): string => relative(repo.root, real).replaceAll('\\', '/');

/** The command that restores exactly this content; `null` if it is neither staged nor in the last commit. */
export function gitCommandFor(target: Target, digest: Digest): string | null {
  const file = inRepo(target);
  const found = [
    ['', '--'],
    ['HEAD', '--source=HEAD --'],
  ].find(([tree = '']) => {
    const bytes = git(target, 'cat-file', 'blob', `${tree}:${file}`);
    return bytes !== null && digestBytes(bytes) === digest;
  });
  if (found === undefined) return null;
  return `git -C ${shellWord(target.repo.root)} restore ${found[1] ?? ''} ${shellWord(file)}`;
}

export const isExecutableInGit = (target: Target): boolean =>
  git(target, 'ls-files', '--stage', '--', inRepo(target))?.toString().startsWith('100755') === true;
