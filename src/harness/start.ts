/** Starts the process that supervises an agent. It outlives the process that drafted or started the agent. */
import { spawn } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import type { DraftState } from '../core/drafts.ts';
import { unlessHindered } from '../core/is-busy.ts';
import { guardRoot } from '../install/guard-root.ts';
import { markProcess } from '../repo/process.ts';
import { agentFiles, readJob, writeJob } from './agent-files.ts';
import { inherited } from './client-call.ts';
import { dispatchOf, takenUp } from './history.ts';
import { jobOf, readWish } from './wish.ts';
import { type HarnessWorkspace, whoOf } from './workspace.ts';

/** @throws Error if the process could not be started */
export function start(space: HarnessWorkspace, draft: DraftState): void {
  const files = agentFiles(space.repo.state_dir, draft.session);
  const isAgain = draft.dispatch !== undefined;
  // Whoever resumed the agent wrote down how to start it, unless it died while doing so.
  const job = isAgain ? attempt(() => readJob(files), null) : null;
  const found = job ?? jobOf(space, draft, readWish(files));
  if (job === null) writeJob(files, found);
  space.tasks.put(draft.task, isAgain ? takenUp(draft) : dispatchOf(found, draft.started_wall_ms));
  superviseFrom(space, draft);
}

/** Requires the job file to be on disk. */
function superviseFrom(space: HarnessWorkspace, { id, session, queued }: DraftState): void {
  const { state_dir } = space.repo;
  const files = agentFiles(state_dir, session);
  const log = openSync(join(files.dir, 'supervisor.log'), 'a', 0o600);
  const program = join(guardRoot(), 'dist', 'supervise.cjs');
  const starts = queued === undefined ? {} : { starts: queued.starts };
  const supervisor = spawn(
    process.execPath,
    [program, state_dir, session, ...Object.values(starts).map(String)],
    { cwd: space.root, env: inherited(space.env), stdio: ['ignore', log, log], detached: true },
  );
  supervisor.on('error', () => undefined);
  supervisor.unref();
  closeSync(log);
  if (supervisor.pid === undefined) throw new Error('its supervisor cannot be started');
  // Record the supervisor, so that the agent does not count as dead with its drafter. It also keeps trying to record
  // itself, so a busy ledger or a full disk is no failure; if it is started twice, only one runs the agent.
  const supervise = { type: 'draft', phase: 'supervise', who: whoOf(id, session), ...starts } as const;
  const mark = markProcess(supervisor.pid);
  unlessHindered(() => space.run({ ...supervise, supervisor: mark }));
}
