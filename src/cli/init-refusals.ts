/** Refusals for places where `guard init` would do harm, or nothing. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GuardError } from '../core/error.ts';
import { type Client, TOLERATES_UNKNOWN_EVENTS } from '../install/client.ts';
import type { Repo } from '../repo/locate.ts';
import { homeOf } from '../repo/user-dirs.ts';
import type { Shell } from './shell.ts';

/** Without git the current directory becomes the repository, which is never intended for a whole home. */
export function refuseHome(repo: Repo, shell: Shell): void {
  if (repo.kind !== 'outside' || (repo.root !== homeOf(shell.env) && repo.root !== '/')) return;
  throw new GuardError(
    'GUARD_ERR_NOT_INITIALISED',
    `${repo.root} is not a repository.`,
    'Go to the directory of the project, and run `guard init` there.',
    { root: repo.root },
  );
}

/** An event that an old client does not know makes it drop the whole file. */
export function refuseWorktrees({ version }: Client): never {
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `guard makes the worktrees of Claude Code ${TOLERATES_UNKNOWN_EVENTS} and newer; ${version === null ? 'the version here is unknown' : `here is ${version}`}.`,
    'Run `guard init --worktrees` where `claude` is on PATH, in that version.',
    { version },
  );
}

/** Detected as git does: the directory itself has the contents of a `.git`. There are no files to guard. */
export function refuseBare(repo: Repo): void {
  if (repo.kind !== 'outside') return;
  for (let dir = repo.root; ; dir = dirname(dir)) {
    if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(dir, name))))
      throw new GuardError(
        'GUARD_ERR_NOT_INITIALISED',
        `${dir} is a bare repository: it has no files to guard.`,
        'Run `guard init` in a checkout of it (git worktree add, or git clone).',
        { root: dir },
      );
    if (dir === dirname(dir)) return;
  }
}
