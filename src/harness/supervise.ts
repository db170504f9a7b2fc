/**
 * Supervises one agent from start to end: a process started by the drafting process, so that it outlives its drafter.
 * `supervise.cjs <state directory> <session> [<which start>]`, the last for an agent that was queued
 */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { locateRepo } from '../repo/locate.ts';
import { onSignals } from '../repo/on-signals.ts';
import { markProcess } from '../repo/process.ts';
import { attempt } from '../core/attempt.ts';
import { runMark } from '../core/run-mark.ts';
import type { DraftState, Ending } from '../core/drafts.ts';
import type { AgentId } from '../core/types.ts';
import { added, supervisedBy } from './client-call.ts';
import { ownCheckout, waitedOut } from './again.ts';
import { agentFiles, type AgentFiles, type Job, readJob } from './agent-files.ts';
import { endedBefore, failedToStart } from './ending.ts';
import { moveQueue } from './move-queue.ts';
import { reconcile } from './reconcile.ts';
import { noteCalled } from './on-end.ts';
import { adoptOrphans } from './orphans.ts';
import { patiently } from './retry-while-busy.ts';
import { recordEnd, writeHistory } from './record-end.ts';
import { runClient } from './run-client.ts';
import { runOf } from './run-of.ts';
import { isTaken, requireMine } from './still-mine.ts';
import { draftOf, type HarnessWorkspace, openHarness, whoOf } from './workspace.ts';
import { whatIsLeft } from './unfinished.ts';
import { reportWorktree } from './worktree.ts';

// They go to a file on the same disk as the agent's log: if that is full, there is nothing to say it with.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

// A request to end is passed on to the client, which `watchOver` does; this process remains to record the end.
onSignals(['SIGTERM', 'SIGINT', 'SIGHUP'], () => undefined);

adoptOrphans();

const [state_dir = '', session = '', nth] = process.argv.slice(2);
/** How often it checks the other agents: their supervisor may be gone, and an agent may be queued for the place. */
const ROUND_MS = 5_000;

void supervise(agentFiles(resolve(state_dir), session));

async function supervise(files: AgentFiles): Promise<void> {
  const job = readJob(files);
  const opened = await patiently(() => openHarness(locateRepo(job.root), process.env));
  const called = new Set<AgentId>();
  const space = { ...opened, looks_after: job.id, onEndCalled: (id: AgentId) => void called.add(id) };
  const who = whoOf(job.id, job.session);
  const own = { supervisor: markProcess(process.pid), is_own: true } as const;
  const starts = nth === undefined ? {} : { starts: Number(nth) };
  const begin = { type: 'draft', phase: 'supervise', who, ...own, ...starts } as const;
  const { draft, refused } = await patiently(() => space.run(begin));
  // It may have been killed, given up, or queued again before it began.
  if (refused === null) {
    const rounds = setInterval(() => attempt(() => reconcile(space), undefined), ROUND_MS);
    try {
      for (let run = draft; run !== null && run.status !== 'queued';)
        run = await oneRun(space, job, run, files);
      await patiently(() => writeHistory(space, job.id));
      if (called.has(job.id)) await patiently(() => noteOwnCall(space, job.id));
      await patiently(() => moveQueue(space));
    } catch (error) {
      if (!isTaken(error)) throw error;
      // The only trace of why it left: supervisor.log.
      const { code, message, hint, facts } = error;
      process.stderr.write(`${JSON.stringify({ error: { code, message, hint, ...facts } })}\n`);
    } finally {
      clearInterval(rounds);
    }
  }
  space.close();
}

/** A busy ledger or a full disk may have kept it from recording that `on_end` was called. */
function noteOwnCall(space: HarnessWorkspace, id: string): void {
  const draft = draftOf(space, id);
  if (draft?.on_end_by?.pid === process.pid && draft.on_end_by.machine === space.facts().machine)
    noteCalled(space, draft);
}

/** Returns the next run; `null` if the agent has ended. @throws GuardError GUARD_ERR_AGENT if it has another supervisor */
async function oneRun(
  space: HarnessWorkspace,
  job: Job,
  run: DraftState,
  files: AgentFiles,
): Promise<DraftState | null> {
  const kill = await waitedOut(space, run);
  const ending = kill === null ? await livedThrough(space, job, run, files) : endedBefore(kill);
  return await patiently(() => recordEnd(space, run, { ...ending, may_go_on: 'at_once' }));
}

/** Whatever goes wrong counts as an ending, too. */
async function livedThrough(
  space: HarnessWorkspace,
  job: Job,
  draft: DraftState,
  files: AgentFiles,
): Promise<Ending> {
  try {
    const worktree = await ownCheckout(space, job, draft, files);
    const env = {
      ...process.env,
      ...job.env,
      ...added(job.id, space.harness.stream_timeout_ms),
      ...supervisedBy(process.pid, markProcess(process.pid)),
    };
    const run = { ...job, ...runOf(job, draft, randomUUID()), cwd: worktree?.dir ?? job.cwd, env };
    requireMine(space, job.id, run.of);
    const ending = await runClient(space, run, files, worktree);
    requireMine(space, job.id, run.of);
    return worktree === null ? ending : { ...ending, worktree: reportWorktree(space.root, worktree) };
  } catch (error) {
    if (isTaken(error)) throw error;
    requireMine(space, job.id, runMark(draft));
    const now = draftOf(space, job.id);
    const kill = now?.kill ?? null;
    const ending = kill === null ? failedToStart(error) : endedBefore(kill);
    return { ...ending, worktree: now === null ? null : whatIsLeft(space, now) };
  }
}
