/** The commit at which a worktree begins, chosen as the client does (measured on 2.1.330). */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { monotonic, wallMs } from '../repo/clock.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { gitFor, ifSaid, type RunGit } from './git.ts';

/** How long to wait for the remote; after that, what was fetched last is used. */
const FETCH_MS = 5_000;
/** A more recent fetch is used as it is: the client does not fetch again after two hours, but does after two days. */
const FRESH_MS = 24 * 3_600_000;

export interface BaseQuestion {
  /** The checkout that the caller works in. */
  readonly cwd: string;
  readonly common_dir: string;
  readonly env: Environment;
  readonly from_head: boolean;
}

/** The default branch of origin, fetched if the last fetch is old; HEAD if there is no such branch. @throws GitFailed */
export function baseCommit(git: RunGit, { cwd, common_dir, env, from_head }: BaseQuestion): string {
  if (!from_head && ifSaid(git, cwd, 'config', '--get', 'remote.origin.url') !== null) {
    const branch = defaultBranch(git, cwd);
    if (!isFresh(common_dir) || commitOf(git, cwd, `refs/remotes/origin/${branch}`) === null) {
      const fetching = gitFor({ env, until_ms: monotonic() + FETCH_MS });
      ifSaid(fetching, cwd, 'fetch', '--upload-pack=git-upload-pack', 'origin', branch);
    }
    const found = commitOf(git, cwd, `refs/remotes/origin/${branch}`);
    if (found !== null) return found;
  }
  return git(cwd, 'rev-parse', '--verify', 'HEAD^{commit}').trim();
}

const commitOf = (git: RunGit, cwd: string, ref: string): string | null =>
  ifSaid(git, cwd, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`);

function defaultBranch(git: RunGit, cwd: string): string {
  const head = ifSaid(git, cwd, 'symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
  const [, named] = /^refs\/remotes\/origin\/(.+)$/.exec(head ?? '') ?? [];
  const known = ['main', 'master'].find((one) => commitOf(git, cwd, `refs/remotes/origin/${one}`) !== null);
  return named ?? known ?? 'main';
}

function isFresh(common_dir: string): boolean {
  const fetched = statSync(join(common_dir, 'FETCH_HEAD'), { throwIfNoEntry: false });
  return fetched !== undefined && wallMs() - fetched.mtimeMs < FRESH_MS;
}
