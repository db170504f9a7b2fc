/** `guard agent attach`: a person continues the session of an ended agent, in a client of their own. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isOver } from '../../core/drafts.ts';
import { GuardError } from '../../core/error.ts';
import { agentFiles, readJob } from '../../harness/agent-files.ts';
import { agentMeant } from '../../harness/agent-meant.ts';
import { clientProgram } from '../../harness/client-fit.ts';
import { reconcile } from '../../harness/reconcile.ts';
import type { HarnessWorkspace } from '../../harness/workspace.ts';
import { EXIT, type ExitCode } from '../exit.ts';

/** A client refuses to open a session that another process has. @throws GuardError GUARD_ERR_AGENT */
export function attachTo(space: HarnessWorkspace, given: string): ExitCode {
  reconcile(space);
  const draft = agentMeant(space, given);
  if (draft.status === 'queued')
    throw new GuardError(
      'GUARD_ERR_AGENT',
      `${draft.id} is queued, and has no session yet.`,
      'To see what it is waiting for, run: guard agent list',
      {
        why: 'queued',
        agent: draft.id,
      },
    );
  if (!isOver(draft))
    throw new GuardError(
      'GUARD_ERR_AGENT',
      `${draft.id} is at work, and its session belongs to its own client until it ends.`,
      `Look at it: guard agent logs ${draft.id} --follow. End it: guard agent kill ${draft.id}`,
      { why: 'at_work', agent: draft.id },
    );
  const { cwd, worktree } = readJob(agentFiles(space.repo.state_dir, draft.session));
  const dir = worktree?.dir ?? cwd;
  if (!existsSync(dir))
    throw new GuardError(
      'GUARD_ERR_AGENT',
      `The directory that ${draft.id} worked in is gone: ${dir}.`,
      `To see what it said, run: guard agent logs ${draft.id}`,
      { why: 'gone', agent: draft.id },
    );
  const args = ['--resume', draft.session];
  const { status } = spawnSync(clientProgram(space.env), args, {
    cwd: dir,
    env: space.env,
    stdio: 'inherit',
  });
  return status === 0 ? EXIT.yes : EXIT.no;
}
