/** Starts the process that looks after an agent. It goes on without whoever drafted it. */
import { spawn } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { guardRoot } from '../install/guard-root.ts';
import { markProcess } from '../repo/process.ts';
import { agentFiles, type Job, writeJob } from './agent-files.ts';
import { inherited } from './client-call.ts';
import { type HarnessWorkspace, whoOf } from './workspace.ts';

/** @throws Error when there is no such process afterwards */
export function start(space: HarnessWorkspace, job: Job): void {
  const { state_dir } = space.repo;
  const files = agentFiles(state_dir, job.session);
  writeJob(files, job);
  const log = openSync(join(files.dir, 'supervisor.log'), 'a', 0o600);
  const program = join(guardRoot(), 'dist', 'cli', 'supervise.mjs');
  const supervisor = spawn(process.execPath, [program, state_dir, job.session], {
    cwd: space.root,
    env: inherited(space.env),
    stdio: ['ignore', log, log],
    detached: true,
  });
  supervisor.on('error', () => undefined);
  supervisor.unref();
  closeSync(log);
  if (supervisor.pid === undefined) throw new Error('its supervisor cannot be started');
  // It says so itself as well; until it does, nobody may take it for dead with the drafter.
  const who = whoOf(job.id, job.session);
  space.run({ type: 'draft', phase: 'supervise', who, supervisor: markProcess(supervisor.pid) });
}
