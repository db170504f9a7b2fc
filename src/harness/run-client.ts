/** One client process: started in a group of its own, read line by line, ended when it has had enough. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { exceeded, type Exceeded, usageOf } from '../core/agent-limits.ts';
import { type DraftState, type Ending, isOver, treeBelow, type WorktreeState } from '../core/drafts.ts';
import { waitKey } from '../core/keys.ts';
import { asWaitState } from '../core/states.ts';
import { onSignals } from '../repo/on-signals.ts';
import { markProcess } from '../repo/process.ts';
import { type AgentFiles, type Job, textIn } from './agent-files.ts';
import { endingOf, lastOutput, type ProcessEnd } from './ending.ts';
import { endAll, signalAll } from './processes.ts';
import { followDrafts, type HarnessWorkspace, whoOf } from './workspace.ts';
import { advance, isWaiting, NOTHING_YET } from './stream.ts';

/** How often the ledger hears of it, and it of the ledger. */
const TICK_MS = 500;
/** From the request to the end. */
const TERM_MS = 3_000;

type Run = Omit<Job, 'env'> & { readonly env: NodeJS.ProcessEnv };

export async function runClient(
  space: HarnessWorkspace,
  job: Run,
  files: AgentFiles,
  worktree: WorktreeState | null,
): Promise<Ending> {
  const watch = watchOver(space, job);
  // Nobody else's, whatever the umask is: execa asks for no mode.
  writeFileSync(files.stderr, '', { mode: 0o600 });
  const client = execa(job.program, job.args, {
    cwd: job.cwd,
    env: job.env,
    extendEnv: false,
    input: job.input,
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
  const reading = readLines(client.iterable(), (line) => {
    watch.hear(line);
    noted(files.log, line);
  });
  watch.begin(pid, worktree);
  await Promise.race([over, watch.ended(pid)]);
  // What it left behind holds its output open, or works on without anybody to answer to.
  if (pid !== null) endAll(job.id, pid);
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
    // A client that could not be started, or was killed, says so by its exit.
  }
}

/** On a full disk an agent works on, and its end is on record; only its log has gaps. */
function noted(log: string, line: string): void {
  try {
    appendFileSync(log, `${line}\n`, { mode: 0o600 });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}

/** `deadlock.resolve: "cancel"`: the verdict stands beside the victim's waits until its circle is gone. */
function toBeCancelled({ store }: HarnessWorkspace, id: string): DraftState['kill'] {
  const key = waitKey(id);
  const { verdicts = [] } = asWaitState(store.look([key]).get(key));
  return verdicts.some(({ resolve }) => resolve === 'cancel') ? { by: 'guard', reason: 'deadlock' } : null;
}

function watchOver(space: HarnessWorkspace, { id, session }: Pick<Job, 'id' | 'session'>) {
  const who = whoOf(id, session);
  const started = space.facts().now.mono_ms;
  const done = new AbortController();
  const drafts = followDrafts(space);
  let at = NOTHING_YET;
  let heard = started;
  let told = at;
  let state: DraftState | null = null;
  let enough = null as Exceeded | null;
  let asked = null as DraftState['kill'];

  /** Tells the ledger what is new, and looks whether it is time to end. */
  const look = (): boolean => {
    const now = space.facts().now.mono_ms;
    if (at !== told) {
      state = space.run({
        ...{ type: 'draft', phase: 'progress', who },
        usage: at.usage,
        last_output: lastOutput(at, { stderr: '' }),
      }).draft;
      told = at;
    }
    const all = drafts();
    state = all.find((draft) => draft.id === id) ?? state;
    // Somebody took it for lost.
    if (state !== null && isOver(state)) asked ??= { by: 'guard', reason: 'its end is on record' };
    // Who asked is on record before the signal comes.
    asked = state?.kill ?? toBeCancelled(space, id) ?? asked;
    const root = all.find((draft) => draft.id === state?.root) ?? state;
    if (state === null || root === null) return false;
    const seen = {
      usage: at.usage,
      tree: usageOf(treeBelow(all, root.id)),
      running_ms: now - started,
      silent_ms: now - heard,
      is_waiting: isWaiting(at),
      repeats: at.repeats,
    };
    enough ??= exceeded(seen, state.limits, root.limits);
    return asked !== null || enough !== null;
  };
  const isTime = (): boolean => {
    try {
      return look();
    } catch {
      // A busy ledger is asked again.
      return asked !== null || enough !== null;
    }
  };
  const bySignal = (name: NodeJS.Signals): void => {
    asked ??= { by: 'a signal', reason: name };
  };
  const deaf = onSignals(['SIGTERM', 'SIGINT', 'SIGHUP'], bySignal);
  return {
    hear(line: string) {
      at = advance(at, line);
      heard = space.facts().now.mono_ms;
    },
    begin(pid: number | null, worktree: WorktreeState | null) {
      if (pid === null) return;
      state = space.run({ type: 'draft', phase: 'run', who, client: markProcess(pid), worktree }).draft;
    },
    /** Resolves when guard has ended it. */
    async ended(pid: number | null) {
      const isDone = (): boolean => done.signal.aborted;
      while (!isDone() && !isTime()) await sleep(TICK_MS);
      if (isDone() || pid === null) return;
      signalAll(id, pid, 'SIGTERM');
      const until = space.facts().now.mono_ms + TERM_MS;
      while (!isDone() && space.facts().now.mono_ms < until) await sleep(TICK_MS / 10);
      endAll(id, pid);
    },
    progress: () => at,
    stopped: () => ({ kill: asked, exceeded: enough }),
    close() {
      done.abort();
      deaf();
    },
  };
}
