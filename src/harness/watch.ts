/** Watches one run: reports its progress to the ledger, and decides when it has to end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../core/attempt.ts';
import { exceeded, usageOf } from '../core/agent-limits.ts';
import type { DraftState, WorktreeState } from '../core/drafts.ts';
import { treeBelow } from '../core/tree-below.ts';
import { onSignals } from '../repo/on-signals.ts';
import { agentFiles, type Job } from './agent-files.ts';
import type { Stopped } from './ending.ts';
import { keepPrices, readPrices } from './prices.ts';
import { type HeardAt, heardAt, isOnRecordAsWaiting, toBeCancelled } from './on-record.ts';
import { ownProcesses, tendOrphans } from './orphans.ts';
import { ownRecord } from './own-record.ts';
import { endAll, signalAll } from './processes.ts';
import { NOTHING_YET, type Progress } from './progress.ts';
import { limitsNow, mostOf, treeLimitsOf } from './run-limits.ts';
import { callLimits, openCallsMs } from './silence.ts';
import { costUntilLastCall, NOTHING_SPENT } from './spending.ts';
import { advance } from './stream.ts';
import { isToldEnough, type OpenInput } from './open-input.ts';
import type { RunOf } from './run-of.ts';
import { isWaiting } from './stream-calls.ts';
import { followDrafts, type HarnessWorkspace } from './workspace.ts';

/** How often it reports to the ledger, and reads it. */
const TICK_MS = 500;
/** From the request to end to the kill. */
const TERM_MS = 3_000;
/** A client that enforces its own budget has reported by then: 160 ms were measured. */
const LAST_WORD_MS = 250;

export interface Watch {
  /** False: another supervisor looks after the agent, and has its log. */
  hear(line: string): boolean;
  begin(pid: number | null, worktree: WorktreeState | null, input: OpenInput): void;
  /** Resolves when guard has ended it. */
  ended(pid: number | null): Promise<void>;
  progress(): Progress;
  stopped(): Stopped;
  close(): void;
}

type Watched = Pick<Job, 'id' | 'session' | 'cwd'> & Pick<RunOf, 'of'>;

export function watchOver(space: HarnessWorkspace, job: Watched): Watch {
  const { id, session, cwd } = job;
  const started = space.facts().now.mono_ms;
  const done = new AbortController();
  const drafts = followDrafts(space);
  const calls = callLimits(cwd, space.env);
  const { state_dir } = space.repo;
  let at: Progress = { ...NOTHING_YET, spending: { ...NOTHING_SPENT, prices: readPrices(state_dir) } };
  let heard: HeardAt = { ...space.facts().now, turned_mono_ms: 0 };
  const own = ownRecord(space, job, at);
  let waited_mono_ms = 0;
  let known: readonly DraftState[] = [];
  let enough = null as Omit<Stopped, 'kill'> | null;
  let asked = null as DraftState['kill'];
  let wake = (): void => undefined;
  let input = null as OpenInput | null;

  /** Whether it has to end. Limits apply to what was last known, even while nothing can be written or read. */
  const isTime = (): boolean => {
    attempt(() => own.tell(at, heard), undefined);
    const now = space.facts().now.mono_ms;
    const all = (known = attempt(drafts, known));
    own.look(all);
    if (own.isTaken()) return true;
    const state = own.state();
    // Whoever asked is recorded before the signal arrives.
    asked = state?.kill ?? attempt(() => toBeCancelled(space, id), null) ?? asked;
    // A message after the end of its turn begins another run.
    input?.tell(state?.unheard ?? [], isToldEnough(at));
    const root = all.find((draft) => draft.id === state?.root) ?? state;
    if (state === null || root === null) return false;
    const seen = {
      usage: { ...at.usage, cost_usd: costUntilLastCall(at.spending) },
      tree: usageOf(treeBelow(all, root.id)),
      running_ms: now - started + (state.ran_ms ?? 0),
      silent_ms: now - Math.max(heard.mono_ms, waited_mono_ms),
      ...{ is_waiting: isWaiting(at), repeats: at.repeats },
    };
    const over = exceeded(seen, limitsNow(state, at, openCallsMs(at, calls)), treeLimitsOf(state, root));
    if (over?.is_silence === true && attempt(() => isOnRecordAsWaiting(space, id), true))
      waited_mono_ms = now;
    else if (over !== null) enough ??= { exceeded: over, background: at.background };
    return asked !== null || enough !== null;
  };
  const deaf = onSignals(['SIGTERM', 'SIGINT', 'SIGHUP'], (name) => {
    asked ??= { by: 'a signal', reason: name };
  });
  const woken = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  return {
    hear(line) {
      if (own.isTakenNow()) return false;
      const state = own.state();
      const { turns } = at.usage;
      at = advance(at, line);
      heard = heardAt(space.facts().now, heard, at.usage.turns > turns);
      if (isToldEnough(at)) wake();
      if (state !== null && costUntilLastCall(at.spending) > (mostOf(state) ?? Infinity))
        setTimeout(() => wake(), LAST_WORD_MS).unref();
      return true;
    },
    begin(pid, worktree, open) {
      if (pid === null) return;
      input = open;
      own.begin(pid, worktree);
      attempt(() => own.tell(at, heard), undefined);
    },
    async ended(pid) {
      const isDone = (): boolean => done.signal.aborted;
      const tend = tendOrphans(agentFiles(state_dir, session));
      while (!isDone() && !isTime()) {
        tend(pid);
        await Promise.race([sleep(TICK_MS), woken()]);
      }
      if (isDone() || pid === null) return;
      if (!own.isTaken()) signalAll(ownProcesses(space, id, pid), 'SIGTERM');
      const until = space.facts().now.mono_ms + TERM_MS;
      while (!isDone() && !own.isTaken() && space.facts().now.mono_ms < until) await sleep(TICK_MS / 10);
      endAll(ownProcesses(space, id, pid));
    },
    progress: () => at,
    stopped: () => ({ kill: asked, exceeded: null, ...enough }),
    close() {
      done.abort();
      deaf();
      keepPrices(state_dir, at.spending.prices);
    },
  };
}
