// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** `lock try` and the polls of `lock wait`: grants what is free, queues or remembers what is not. */
import { expiresAt } from '../alive.ts';
import type { Lsn, View } from '../ledger.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { AgentState, Facts, Hold, Mode, ProcessMark, RepoPath } from '../types.ts';
import { present, settleTurn } from './agent.ts';
import type { Who } from './agent.ts';
import { findDeadlocks, undelivered } from './deadlock.ts';
import type { Deadlock } from './deadlock.ts';
import { addEdge, mayWait } from './edges.ts';
import { newHold, revoke } from './grant.ts';
import { setHolds } from './holds.ts';
import { claim } from './lease.ts';
import { noteVisits } from './own-worktree.ts';
import type { Blocked } from './blocked.ts';
import type { Claim } from './lease.ts';
import { withoutRevoked } from './revoke.ts';
import { refusedTo } from './refused.ts';
import type { RefusedLease } from './refused.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';
import { queueUp, ticketEnd } from './tickets.ts';
import type { Acting, Granting } from './transaction.ts';
import { mustStop, markDelivered, stopWaiting } from './verdicts.ts';

export interface AcquireEvent {
  readonly type: 'lock.acquire';
  readonly who: Who;
  readonly paths: readonly RepoPath[];
  readonly mode: Mode;
  /** Null: the policy's. */
  readonly ttl_ms: number | null;
  /** All in one transaction or none. */
  readonly all: boolean;
  /** Monotonic end of the wait this try is part of; null: a try, whose refusal is only remembered as "wanted". */
  readonly wait_until_mono_ms: number | null;
  /** The process that waits; absent or null: not known. */
  readonly waiter?: ProcessMark | null;
}

export interface AcquireResult {
  readonly path: RepoPath;
  readonly acquired: boolean;
  readonly holder: string | null;
  readonly holders: readonly string[];
  readonly token: Lsn | null;
  /** Of the lease; of what is in the way. */
  readonly expires_at: string | null;
  /** Absent: it was got, or another of several was not. */
  readonly refused?: RefusedLease;
  /** The wait is over: this agent must let go (`deadlock`). */
  readonly error?: 'DEADLOCK';
  /** The deadlock in which this path stands, whoever its victim is. */
  readonly deadlock?: Deadlock;
}

/** Paths in canonical order, each once; results in the same order. */
export function acquire(view: View, event: AcquireEvent, facts: Facts): Step<readonly AcquireResult[]> {
  const paths = [...new Set(event.paths)].sort();
  const draft = draftOver(view);
  const agent = settleTurn(draft, present(draft, event.who, facts, view.next), facts);
  const deciding = { view, draft, agent, facts, next: view.next };
  noteVisits(draft, agent, paths, facts);
  const claims = paths.map((path) => ({ path, claim: claim(deciding, path, event.mode) }));
  const refused = claims.filter((entry) => entry.claim.verdict === 'blocked');
  const none = event.all && refused.length > 0;
  if (!none) grant(deciding, event, claims);
  const isWait = event.wait_until_mono_ms !== null;
  // Who wants all of them queues for the free ones too, or others could take turns with those for ever.
  remember(deciding, event, none && isWait ? claims.filter(isMissing) : refused);
  const deadlocks = mayWait(draft, agent)
    ? findDeadlocks(deciding, isWait ? paths : [])
    : undelivered(draft, agent.id);
  const isOver = isWait && deadlocks.some((dead) => mustStop(dead, agent, paths));
  if (isOver) stopWaiting(deciding, paths, event.mode);
  if (isWait) markDelivered(draft, agent, paths, deadlocks);
  const results = claims.map((entry) => resultOf(deciding, entry, event.mode));
  return answer(
    draft,
    agent,
    facts,
    results.map((result) => withDeadlock(result, agent, deadlocks, isOver)),
  );
}

function withDeadlock(
  result: AcquireResult,
  agent: AgentState,
  deadlocks: readonly Deadlock[],
  isOver: boolean,
): AcquireResult {
  const own = deadlocks.filter(({ cycle }) =>
    cycle.some(({ from, path }) => from === agent.id && path === result.path),
  );
  const deadlock = own.find(({ victim }) => victim === agent.id) ?? own[0];
  return {
    ...result,
    ...(isOver && !result.acquired ? { error: 'DEADLOCK' as const } : {}),
    ...(deadlock === undefined ? {} : { deadlock }),
  };
}

interface Entry {
  readonly path: RepoPath;
  readonly claim: Claim;
}
const isMissing = (entry: Entry): boolean => entry.claim.verdict !== 'held';

function grant(granting: Granting, event: AcquireEvent, entries: readonly Entry[]): void {
  const { draft, agent, facts, next } = granting;
  const granted: RepoPath[] = [];
  const ttl_ms = event.ttl_ms ?? facts.policy.ttl_ms;
  for (const { path, claim } of entries) {
    if (claim.verdict === 'held') lengthen(draft, path, claim.hold, ttl_ms);
    if (claim.verdict !== 'free') continue;
    revoke(granting, path, claim.yielded);
    setHolds(draft, path, {
      ...draft.path(path),
      holds: [...claim.keep, newHold(granting, event.mode, ttl_ms)],
      queue: draft.path(path).queue.filter((ticket) => ticket.agent !== agent.id),
    });
    granted.push(path);
  }
  dropEdges(
    draft,
    agent,
    entries.filter((entry) => entry.claim.verdict !== 'blocked').map((entry) => entry.path),
  );
  if (granted.length === 0) return;
  noteGranted(granting, granted, ttl_ms);
  draft.record({
    type: 'hold',
    agent: agent.id,
    ts_ms: facts.now.wall_ms,
    paths: granted,
    mode: event.mode,
    token: next,
  });
}

/** What a tool call may outlast (decision 100); and of what it has again, it need not be told that it lost it. */
function noteGranted(
  { draft, agent: { id }, facts: { policy } }: Acting,
  paths: readonly RepoPath[],
  ttl_ms: number,
): void {
  const agent = draft.agent(id);
  if (agent === undefined) return;
  const isShortest = ttl_ms < Math.min(policy.ttl_ms, agent.shortest_ttl_ms ?? Infinity);
  if (!isShortest && agent.revoked === undefined) return;
  const told = agent.revoked === undefined ? agent : withoutRevoked(agent, paths);
  draft.setAgent(isShortest ? { ...told, shortest_ttl_ms: ttl_ms } : told);
}

/**
 * Who holds a file and asks for it again has it for at least as long as was asked for now; never for less. What its command
 * line took for itself does not end with that any more.
 */
function lengthen(draft: Draft, path: RepoPath, hold: Hold, ttl_ms: number): void {
  if (ttl_ms <= hold.ttl_ms && hold.command === undefined) return;
  const state = draft.path(path);
  const { command, ...lease } = hold;
  const longer =
    command === undefined ? { ...hold, ttl_ms } : { ...lease, ttl_ms: Math.max(ttl_ms, hold.ttl_ms) };
  draft.setPath(path, {
    ...state,
    holds: state.holds.map((one) => (one.token === hold.token ? longer : one)),
  });
}

function dropEdges(draft: Draft, agent: AgentState, paths: readonly RepoPath[]): void {
  const wait = draft.wait(agent.id);
  const left = wait.edges.filter((edge) => !paths.includes(edge.path));
  if (left.length < wait.edges.length) draft.setWait(agent.id, { ...wait, edges: left });
}

function remember(granting: Granting, event: AcquireEvent, entries: readonly Entry[]): void {
  const { draft, agent, facts } = granting;
  const { mode, wait_until_mono_ms: until_mono_ms, waiter } = event;
  const wait = until_mono_ms === null ? null : { mode, until_mono_ms, waiter: waiter ?? null };
  const until = wait === null ? null : ticketEnd(wait, facts);
  for (const { path, claim } of entries) {
    if (wait !== null) queueUp(granting, path, wait);
    if (!addEdge(granting, path, mode, until)) continue;
    draft.record({
      type: 'wait',
      agent: agent.id,
      ts_ms: facts.now.wall_ms,
      path,
      kind: until === null ? 'wanted' : 'wait',
      holders: claim.verdict === 'blocked' ? claim.blocked.holders : [],
      mode,
    });
  }
}

function resultOf(acting: Acting, { path, claim: claimed }: Entry, mode: Mode): AcquireResult {
  const { draft, agent, facts } = acting;
  const hold = draft
    .path(path)
    .holds.find((entry) => entry.agent === agent.id && entry.epoch === agent.epoch);
  if (claimed.verdict === 'blocked') {
    const { blocked } = claimed;
    return { ...refusal(path, blocked), refused: refusedTo(acting, path, mode, blocked) };
  }
  // Free, but not taken because all were wanted and another path was not free.
  if (hold === undefined) return refusal(path, null);
  return {
    path,
    acquired: true,
    holder: null,
    holders: [],
    token: hold.token,
    expires_at: rfc3339(hold.since_wall_ms + expiresAt(draft, hold, facts) - hold.since_mono_ms),
  };
}

const refusal = (path: RepoPath, blocked: Blocked | null): AcquireResult => ({
  path,
  acquired: false,
  holder: blocked?.holder ?? null,
  holders: blocked?.holders ?? [],
  token: null,
  expires_at: blocked?.expires_at ?? null,
});
