/** Starts the process that looks after an agent. It goes on without whoever drafted or started it. */
import { spawn } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import type { DraftState } from '../core/drafts.ts';
import { guardRoot } from '../install/guard-root.ts';
import { markProcess } from '../repo/process.ts';
import { agentFiles, writeJob } from './agent-files.ts';
import { inherited } from './client-call.ts';
import { dispatchOf } from './history.ts';
import { jobOf, readWish } from './wish.ts';
import { type HarnessWorkspace, whoOf } from './workspace.ts';

/** @throws Error when there is no such process afterwards */
export function start(space: HarnessWorkspace, draft: DraftState): void {
  const files = agentFiles(space.repo.state_dir, draft.session);
  const job = jobOf(space, draft, readWish(files));
  writeJob(files, job);
  space.tasks.put(job.task, dispatchOf(job, draft.started_wall_ms));
  superviseFrom(space, draft);
}

/** What its supervisor is to start is on disk. @throws Error when there is no such process afterwards */
export function superviseFrom(space: HarnessWorkspace, { id, session, queued }: DraftState): void {
  const { state_dir } = space.repo;
  const files = agentFiles(state_dir, session);
  const log = openSync(join(files.dir, 'supervisor.log'), 'a', 0o600);
  const program = join(guardRoot(), 'dist', 'cli', 'supervise.mjs');
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
  // It says so itself as well; until it does, nobody may take it for dead with the drafter.
  const mark = markProcess(supervisor.pid);
  space.run({ type: 'draft', phase: 'supervise', who: whoOf(id, session), supervisor: mark, ...starts });
}
