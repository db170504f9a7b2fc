/** A role's setup step, run in an agent's worktree before the agent starts. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GuardError } from '../core/error.ts';
import type { RunMark } from '../core/run-mark.ts';
import { added, SUPERVISOR } from './client-call.ts';
import { type AgentFiles, textIn } from './agent-files.ts';
import { ownProcesses } from './orphans.ts';
import { endAll } from './processes.ts';
import { isTakenFrom, requireMine } from './still-mine.ts';
import { draftOf, type HarnessWorkspace } from './workspace.ts';

/** An `npm ci` takes minutes on a busy machine. */
export const SETUP_MS = 900_000;
const LOOK_MS = 250;
const REASON_CHARS = 300;

interface Setup {
  readonly id: string;
  readonly dir: string;
  readonly setup: string;
  readonly of: RunMark;
}

/**
 * It has the agent's mark, so that ending the agent ends it, too. Its output goes to `setup.log` next to the agent's log.
 * @throws GuardError GUARD_ERR_WORKTREE if it fails, takes too long, or the agent is ended meanwhile; GUARD_ERR_AGENT if
 * the agent has another supervisor
 */
export async function runSetup(
  space: HarnessWorkspace,
  { id, dir, setup, of }: Setup,
  files: AgentFiles,
): Promise<void> {
  const log = join(files.dir, 'setup.log');
  const fd = openSync(log, 'a', 0o600);
  const env = {
    ...process.env,
    ...added(id, space.harness.stream_timeout_ms),
    [SUPERVISOR]: String(process.pid),
  };
  const child = spawn('/bin/sh', ['-c', setup], { cwd: dir, env, stdio: ['ignore', fd, fd], detached: true });
  closeSync(fd);
  const over = new Promise<string | null>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => resolve(code === 0 ? null : `ended with ${String(code ?? signal)}`));
  });
  const why = await Promise.race([over, ended(space, id, of)]);
  if (why === null) return;
  endAll(ownProcesses(space, id, child.pid ?? null));
  requireMine(space, id, of);
  const last = textIn(log).trim().split('\n').at(-1) ?? '';
  const said = last === '' ? '' : `: ${last.slice(-REASON_CHARS)}`;
  throw new GuardError(
    'GUARD_ERR_WORKTREE',
    `The setup of its worktree (${setup}) ${why}${said}`,
    `Its output is in ${log}.`,
    { dir, log },
  );
}

/** Resolves when the setup has to stop. */
async function ended(space: HarnessWorkspace, id: string, of: RunMark): Promise<string> {
  const until = space.facts().now.mono_ms + SETUP_MS;
  while (space.facts().now.mono_ms < until) {
    await sleep(LOOK_MS, undefined, { ref: false });
    const now = draftOf(space, id);
    if (now !== null && isTakenFrom(now, of)) return 'is another supervisor’s now';
    if (now?.kill != null) return 'was ended with its agent';
  }
  return `took more than ${SETUP_MS / 60_000} minutes`;
}
