/**
 * A task's files that were committed before git ignored them. git would add what guard writes there to an agent's next
 * `git commit -a`; with this bit in its index it does not look at them.
 */
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { monotonic } from '../repo/clock.ts';
import { gitFor } from '../worktrees/git.ts';
import type { HarnessWorkspace } from './workspace.ts';

/** Another git may have the index locked; the next start tries again. */
const LIMIT_MS = 2_000;

/** Only those that git ignores there: a repository with a `.gitignore` of its own wants them committed. */
export function leaveOutOfCommits({ root, env, harness }: HarnessWorkspace, task: string): void {
  const git = gitFor({ env, until_ms: monotonic() + LIMIT_MS });
  attempt(() => {
    const listed = git(
      root,
      'ls-files',
      '-z',
      '-c',
      '-i',
      '--exclude-standard',
      '--',
      join(harness.tasks_dir, task),
    );
    const files = listed.split('\0').filter((file) => file !== '');
    if (files.length > 0) git(root, 'update-index', '--skip-worktree', '--', ...files);
  }, undefined);
}
