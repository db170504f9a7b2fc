/** One client process: started in its own group, read line by line, and ended when guard decides to. */
import { writeFileSync } from 'node:fs';
import { execa } from 'execa';
import type { Ending, WorktreeState } from '../core/drafts.ts';
import { type AgentFiles, type Job, textIn } from './agent-files.ts';
import { endingOf, type ProcessEnd } from './ending.ts';
import { openEventLog } from './event-log.ts';
import { ownProcesses } from './orphans.ts';
import { endAll } from './processes.ts';
import { openInput } from './open-input.ts';
import type { RunOf } from './run-of.ts';
import { isPartial } from './stream.ts';
import { watchOver } from './watch.ts';
import type { HarnessWorkspace } from './workspace.ts';

type Run = Omit<Job, 'env' | 'args'> & RunOf & { readonly env: NodeJS.ProcessEnv };

export async function runClient(
  space: HarnessWorkspace,
  job: Run,
  files: AgentFiles,
  worktree: WorktreeState | null,
): Promise<Ending> {
  const watch = watchOver(space, job);
  const log = openEventLog(files.log);
  // Only its owner may read it, whatever the umask: execa sets no mode.
  writeFileSync(files.stderr, '', { mode: 0o600 });
  const client = execa(job.program, job.args, {
    cwd: job.cwd,
    env: job.env,
    extendEnv: false,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: { file: files.stderr },
    buffer: false,
    reject: false,
    detached: true,
    cleanup: false,
  });
  const pid = client.pid ?? null;
  const over = new Promise<void>((resolve) =>
    client.once('exit', () => resolve()).once('error', () => resolve()),
  );
  const hear = (line: string): void => {
    if (watch.hear(line) && !isPartial(line)) log.add(line);
  };
  if (job.before !== null) hear(job.before);
  const reading = readLines(client.iterable(), hear);
  const input = openInput(client.stdin);
  input.tell(job.opening, false);
  watch.begin(pid, worktree, input);
  await Promise.race([over, watch.ended(pid)]);
  // Processes left behind hold its output open, or keep working unsupervised.
  if (pid !== null) endAll(ownProcesses(space, job.id, pid));
  const result = await client;
  await reading;
  watch.close();
  const end: ProcessEnd = {
    exit_code: result.exitCode ?? null,
    signal: result.signal ?? null,
    error: pid === null ? (result.originalMessage ?? 'the client cannot be started') : null,
    stderr: textIn(files.stderr),
  };
  return endingOf(watch.progress(), end, watch.stopped());
}

async function readLines(lines: AsyncIterable<unknown>, hear: (line: string) => void): Promise<void> {
  try {
    for await (const line of lines) hear(String(line));
  } catch {
    // If the client could not be started or was killed, its exit says so.
  }
}
