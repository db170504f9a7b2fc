// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Which of several state directories around a file counts, and which known repository it belongs to if there is none.
 * Only needed if that is not obvious: guard is nested, the directory could be committed, or nothing is set up here.
 */
import { dirname, join } from 'node:path';
import { gitDirOf } from '../git-dir.ts';
import type { Checkout } from '../checkout.ts';
import type { Environment } from '../user-dirs.ts';
import { isOpenToAll } from '../account.ts';
import { isBelieved } from './belief.ts';
import { isInGitIndex } from './git-index.ts';
import { anchorOf, readMark } from './mark.ts';

/**
 * Of the checkouts with a state directory, innermost first, chooses the outermost one that is trusted, so that nothing
 * unpacked above can take over a repository. If none is, the outermost is returned to be refused, preferably our own.
 * @param around all checkouts, with or without a state directory
 */
export function choose(
  found: readonly Checkout[],
  around: readonly Checkout[],
  env: Environment,
): Checkout | undefined {
  const believed = found.findLast((checkout) => isBelieved(checkout, env));
  if (believed !== undefined) return believed;
  const counted = found.filter((one) => !isStray(one) && !isCommitted(one, around, env));
  return counted.findLast(({ said }) => said.own) ?? counted.at(-1);
}

const isStray = ({ said, kind, root }: Checkout): boolean =>
  !said.own && kind === 'plain' && isOpenToAll(root);

/** A `.guard` that came with the repository is ignored, unless this user set it up. */
function isCommitted(one: Checkout, around: readonly Checkout[], env: Environment): boolean {
  if (one.kind !== 'plain' || readMark(anchorOf(one), env) !== null) return false;
  return around.some((git) => {
    if (git.common_dir === null || !one.state_dir.startsWith(`${git.root}/`)) return false;
    return isInGitIndex(gitDirOf(git.common_dir, git.worktree), one.state_dir.slice(git.root.length + 1));
  });
}

/** The outermost place around `dir` that this user set up but whose state directory is missing. */
export function lost(dir: string, around: readonly Checkout[], env: Environment): Checkout | undefined {
  const git = around.findLast((checkout) => readMark(anchorOf(checkout), env) !== null);
  const root = outermostRoot(dir, env);
  if (root === null || (git !== undefined && git.root.length <= root.length)) return git;
  const plain = { kind: 'plain', root, state_dir: join(root, '.guard'), initialised: true } as const;
  return {
    ...plain,
    common_dir: null,
    worktree: null,
    said: { known_worktree: false, own: true, pointer: null },
  };
}

function outermostRoot(dir: string, env: Environment): string | null {
  let found: string | null = null;
  for (let at = dir; ; at = dirname(at)) {
    if (readMark(at, env) !== null) found = at;
    if (dirname(at) === at) return found;
  }
}
