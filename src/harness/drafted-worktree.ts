/** Makes an agent's own checkout before it starts, recorded first so that it is found together with an orphaned agent. */
import { dirname, join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import type { WorktreeState } from '../core/drafts.ts';
import type { RunMark } from '../core/run-mark.ts';
import { monotonic } from '../repo/clock.ts';
import { copyIgnored } from '../worktrees/contents.ts';
import { gitFor } from '../worktrees/git.ts';
import { inTurn } from '../worktrees/in-turn.ts';
import { makeWorktree, refuseLoss } from '../worktrees/make.ts';
import { worktreeSettings } from '../worktrees/settings.ts';
import type { AgentFiles, Job, WantedWorktree } from './agent-files.ts';
import { makeOutOfGit } from './keep-out-of-git.ts';
import { noteSetup } from './open-files.ts';
import { patiently } from './retry-while-busy.ts';
import { requireMine, takenBy } from './still-mine.ts';
import { type HarnessWorkspace, whoOf } from './workspace.ts';
import { runSetup } from './worktree-setup.ts';

/** Includes the time that others take to make theirs first. */
const TURN_MS = 300_000;
const LIST_CHARS = 200;

type Making = Pick<Job, 'id' | 'session'> & { readonly worktree: WantedWorktree; readonly of: RunMark };

/**
 * Made like the client's own worktrees, but from the commit that is checked out or that the role names, and one at a time
 * like all of them. If its setup fails, what was made stays, recorded as unfinished.
 * @throws GuardError GUARD_ERR_WORKTREE; GUARD_ERR_AGENT if the agent has another supervisor
 */
export async function draftedWorktree(
  space: HarnessWorkspace,
  job: Making,
  files: AgentFiles,
): Promise<WorktreeState> {
  const { root, env, repo } = space;
  const { dir, branch, include, setup, notes } = job.worktree;
  const own = gitFor({ env, until_ms: monotonic() + TURN_MS });
  const base = job.worktree.base ?? own(root, 'rev-parse', 'HEAD').trim();
  const made = { dir, branch, base, changed: null, commits: 0, kept: true, notes };
  const doing = setup === null ? 'makes its worktree' : `setup: ${setup}`.slice(0, LIST_CHARS);
  // A worktree recorded as unfinished is removed if this process dies, so nothing may have been there before.
  refuseLoss({ git: own, root, dir, branch });
  await putOnRecord(space, job, { ...made, is_unfinished: true }, doing);
  // Otherwise `git add -A` in the main checkout would embed it as a repository.
  makeOutOfGit(dirname(dir));
  const until_ms = monotonic() + TURN_MS;
  const git = gitFor({ env, until_ms });
  const common_dir = repo.common_dir ?? join(root, '.git');
  const settings = worktreeSettings(root, env);
  const plan = { git, root, common_dir, dir, branch, base, lock: null, settings };
  const requireOwn = (): void => requireMine(space, job.id, job.of);
  inTurn({ ...space, who: whoOf(job.id, job.session) }, until_ms, () => {
    requireOwn();
    makeWorktree(plan);
  });
  // Each step may take minutes, and this process may have been stopped in between.
  requireOwn();
  const began_ms = monotonic();
  if (include.length > 0)
    copyIgnored(
      { git, root, dir },
      include.map((pattern) => `--exclude=${pattern}`),
    );
  if (setup !== null) {
    await runSetup(space, { id: job.id, dir, setup, of: job.of }, files);
    requireOwn();
    attempt(() => noteSetup(gitFor({ env, until_ms: monotonic() + TURN_MS }), dir), undefined);
  }
  const whole = { ...made, setup_ms: Math.round(monotonic() - began_ms) };
  await putOnRecord(space, job, whole, null);
  return whole;
}

/** Shows anyone who looks at the agents what it is doing, and what has to be removed if this process dies. */
async function putOnRecord(
  space: HarnessWorkspace,
  { id, session, of }: Making,
  worktree: WorktreeState,
  doing: string | null,
): Promise<void> {
  const who = whoOf(id, session);
  const { draft, refused } = await patiently(() =>
    space.run({ type: 'draft', phase: 'setup', who, worktree, doing, of }),
  );
  if (refused !== null && draft !== null) throw takenBy(draft);
}
