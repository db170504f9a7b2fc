/** Starts the process that looks after an agent. It goes on without whoever drafted or started it. */
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

/** @throws Error when there is no such process afterwards */
export function start(space: HarnessWorkspace, draft: DraftState): void {
  const files = agentFiles(space.repo.state_dir, draft.session);
  const isAgain = draft.dispatch !== undefined;
  // Whoever took it up again wrote down how it is to be started, but for one that died over that.
  const job = isAgain ? attempt(() => readJob(files), null) : null;
  const found = job ?? jobOf(space, draft, readWish(files));
  if (job === null) writeJob(files, found);
  space.tasks.put(draft.task, isAgain ? takenUp(draft) : dispatchOf(found, draft.started_wall_ms));
  superviseFrom(space, draft);
}

/** What its supervisor is to start is on disk. */
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
  // Nobody may take it for dead with its drafter. It says so itself as well, as often as it takes: where this finds the ledger
  // busy or the disk full it is no failure, and one that is started once more meanwhile is started by one of the two.
  const supervise = { type: 'draft', phase: 'supervise', who: whoOf(id, session), ...starts } as const;
  const mark = markProcess(supervisor.pid);
  unlessHindered(() => space.run({ ...supervise, supervisor: mark }));
}
