// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** `lock try` and the polls of `lock wait`: grants what is free, queues or remembers the rest. */
import { expiresAt } from '../alive.ts';
import { leaseIn } from '../lease-scope.ts';
import type { Lsn, View } from '../ledger.ts';
import type { Changes } from '../states.ts';
import { leaseEnd } from '../wall-time.ts';
import type { AgentState, Facts, Mode, ProcessMark, RepoPath } from '../types.ts';
import { settleTurn } from './agent.ts';
import type { Who } from './who.ts';
import { type Deadlock, findDeadlocks, undelivered } from './deadlock.ts';
import { asAsked } from './as-asked.ts';
import { addEdge, mayWait } from './edges.ts';
import { type Elsewhere, elsewhere } from './elsewhere.ts';
import { newHold, revoke } from './grant.ts';
import { lengthen, noteGranted } from './granted.ts';
import { setHolds } from './holds.ts';
import { claim, type Claim } from './lease.ts';
import { noteVisits } from './own-worktree.ts';
import { isLinked, mayBeElsewhere } from '../worktrees.ts';
import type { Blocked } from './blocked.ts';
import { type RefusedLease, refusedTo } from './refused.ts';
import { queueUp, ticketEnd } from './tickets.ts';
import { mustStop, markDelivered, stopWaiting } from './verdicts.ts';
import { transactionOf } from './opened.ts';
import { type Acting, answer, type Granting, record, type Step } from './transaction.ts';

export interface AcquireEvent {
  readonly type: 'lock.acquire';
  readonly who: Who;
  readonly paths: readonly RepoPath[];
  readonly mode: Mode;
  /** `null`: the policy's. */
  readonly ttl_ms: number | null;
  /** All in one transaction or none. */
  readonly all: boolean;
  /** Monotonic end of the wait; `null` for a single try, whose refusal is only remembered as "wanted". */
  readonly wait_until_mono_ms: number | null;
  /** The process that waits; absent or `null` if not known. */
  readonly waiter?: ProcessMark | null;
}

export interface AcquireResult {
  readonly path: RepoPath;
  readonly acquired: boolean;
  readonly holder: string | null;
  readonly holders: readonly string[];
  readonly token: Lsn | null;
  /** End of the lease, or of what is in the way. */
  readonly expires_at: string | null;
  /** Absent: it was acquired, or was refused only because another of several was. */
  readonly refused?: RefusedLease;
  /** The wait has ended: this agent must give way (`deadlock`). */
  readonly error?: 'DEADLOCK';
  /** The deadlock that this path is part of, whichever agent is its victim. */
  readonly deadlock?: Deadlock;
  /** Other agents with the same path in other checkouts, if not reported before. Absent: none. */
  readonly elsewhere?: readonly Elsewhere[];
}

/** Paths are processed in canonical order, without duplicates; results are in the same order. */
export function acquire(view: View, event: AcquireEvent, facts: Facts): Step<readonly AcquireResult[]> {
  const asked = [...new Set(event.paths)].sort();
  const opened = transactionOf(view, event.who, facts);
  const { changes } = opened;
  // A file in two checkouts may have only one lease.
  const own = new Map([...asked].reverse().map((path) => [leaseIn(changes, path), path]));
  const paths = [...own.keys()].sort();
  const agent = settleTurn(changes, opened.agent, facts);
  const tx = { ...opened, agent };
  if (asked.some(isLinked)) noteVisits(changes, agent, asked, facts);
  const claims = paths.map((path) => ({
    path,
    own: own.get(path) ?? path,
    claim: claim(tx, path, event.mode),
  }));
  const refused = claims.filter((entry) => entry.claim.verdict === 'blocked');
  const none = event.all && refused.length > 0;
  if (!none) grant(tx, event, claims);
  const isWait = event.wait_until_mono_ms !== null;
  // An agent that wants all of them queues for the free ones too; otherwise others could take turns with those and
  // starve it.
  remember(tx, event, none && isWait ? claims.filter(isMissing) : refused);
  const deadlocks = mayWait(changes, agent)
    ? findDeadlocks(tx, isWait ? paths : [])
    : undelivered(changes, agent.id);
  const isOver = isWait && deadlocks.some((dead) => mustStop(dead, agent, paths));
  if (isOver) stopWaiting(tx, paths, event.mode);
  if (isWait) markDelivered(changes, agent, paths, deadlocks);
  const found = new Map(claims.map((entry) => [entry.path, entry]));
  const results = asked.flatMap((path) => {
    const entry = found.get(leaseIn(changes, path));
    return entry === undefined ? [] : withDeadlock(resultOf(tx, entry, event.mode), agent, deadlocks, isOver);
  });
  const got = asked.filter((_, nth) => results[nth]?.acquired);
  const beside = mayBeElsewhere(changes, got) ? elsewhere(tx, got) : [];
  return answer(
    tx,
    results.map((result, nth) => asAsked(result, asked[nth] ?? result.path, beside)),
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
  /** The path in the checkout for which it was requested. */
  readonly own: RepoPath;
  readonly claim: Claim;
}
const isMissing = (entry: Entry): boolean => entry.claim.verdict !== 'held';

function grant(tx: Granting, event: AcquireEvent, entries: readonly Entry[]): void {
  const { changes, agent, facts, next } = tx;
  const granted: RepoPath[] = [];
  const ttl_ms = event.ttl_ms ?? facts.policy.ttl_ms;
  for (const { path, own, claim } of entries) {
    if (claim.verdict === 'held') lengthen(changes, path, claim.hold, ttl_ms);
    if (claim.verdict !== 'free') continue;
    revoke(tx, path, claim.yielded);
    setHolds(changes, path, {
      ...changes.path(path),
      holds: [...claim.keep, newHold(tx, own, event.mode, ttl_ms)],
      queue: changes.path(path).queue.filter((ticket) => ticket.agent !== agent.id),
    });
    granted.push(path);
  }
  const owned = entries.filter((entry) => entry.claim.verdict !== 'blocked').map((entry) => entry.path);
  dropEdges(changes, agent, owned);
  if (granted.length === 0) return;
  noteGranted(tx, granted, ttl_ms);
  record(tx, 'hold', { paths: granted, mode: event.mode, token: next });
}

function dropEdges(changes: Changes, agent: AgentState, paths: readonly RepoPath[]): void {
  const wait = changes.wait(agent.id);
  const left = wait.edges.filter((edge) => !paths.includes(edge.path));
  if (left.length < wait.edges.length) changes.setWait(agent.id, { ...wait, edges: left });
}

function remember(tx: Granting, event: AcquireEvent, entries: readonly Entry[]): void {
  const { facts } = tx;
  const { mode, wait_until_mono_ms: until_mono_ms, waiter } = event;
  const wait = until_mono_ms === null ? null : { mode, until_mono_ms, waiter: waiter ?? null };
  const until = wait === null ? null : ticketEnd(wait, facts);
  for (const { path, claim } of entries) {
    if (wait !== null) queueUp(tx, path, wait);
    if (!addEdge(tx, path, mode, until)) continue;
    record(tx, 'wait', {
      path,
      kind: until === null ? 'wanted' : 'wait',
      holders: claim.verdict === 'blocked' ? claim.blocked.holders : [],
      mode,
    });
  }
}

function resultOf(tx: Acting, { path, claim: claimed }: Entry, mode: Mode): AcquireResult {
  const { changes, agent, facts } = tx;
  const hold = changes
    .path(path)
    .holds.find((entry) => entry.agent === agent.id && entry.epoch === agent.epoch);
  if (claimed.verdict === 'blocked') {
    const { blocked } = claimed;
    return { ...refusal(path, blocked), refused: refusedTo(tx, path, mode, blocked) };
  }
  // Free, but not granted because all were wanted and another path was not free.
  if (hold === undefined) return refusal(path, null);
  return {
    path,
    acquired: true,
    holder: null,
    holders: [],
    token: hold.token,
    expires_at: leaseEnd(expiresAt(changes, hold, facts), hold, facts.now),
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
