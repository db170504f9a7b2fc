/** `lock try` and the polls of `lock wait`: grants what is free, queues or remembers what is not. */
import { expiresAt, isTicketLive } from '../alive.ts';
import { missingFor } from '../need.ts';
import { waitKey } from '../keys.ts';
import type { Lsn, View } from '../ledger.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import { rfc3339 } from '../time.ts';
import type { AgentState, Facts, Hold, Mode, RepoPath, Ticket } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { findDeadlocks, untold } from './deadlock.ts';
import type { Deadlock } from './deadlock.ts';
import { addEdge, isEnough, TICKET_MS } from './edges.ts';
import { newHold, revoke } from './grant.ts';
import { claim, liveHolds } from './lease.ts';
import { missingVisits, noteVisits } from './own-worktree.ts';
import type { Blocked } from './blocked.ts';
import type { Claim } from './lease.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';
import { mustStop, noteTold, stopWaiting } from './verdicts.ts';

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
}

export interface AcquireResult {
  readonly path: RepoPath;
  readonly acquired: boolean;
  readonly holder: string | null;
  readonly holders: readonly string[];
  readonly token: Lsn | null;
  readonly expires_at: string | null;
  /** The wait is over: this agent must let go (`deadlock`). */
  readonly error?: 'DEADLOCK';
  /** The deadlock in which this path stands, whoever its victim is. */
  readonly deadlock?: Deadlock;
}

/** Paths in canonical order, each once; results in the same order. */
export function acquire(view: View, event: AcquireEvent, facts: Facts): Step<readonly AcquireResult[]> {
  const paths = [...new Set(event.paths)].sort();
  const visited = missingVisits(view, paths, event.who);
  const missing = missingFor(view, paths, [event.who.id], [waitKey(event.who.id), ...visited]);
  if (missing.length > 0) return { need: missing };
  const draft = draftOver(view);
  const agent = present(draft, event.who, facts, view.next);
  noteVisits(draft, agent, paths, facts);
  const claims = paths.map((path) => ({ path, claim: claim(draft, path, agent, event.mode, facts) }));
  const refused = claims.filter((entry) => entry.claim.verdict === 'blocked');
  const none = event.all && refused.length > 0;
  if (!none) grant(draft, agent, event, claims, facts, view.next);
  const isWait = event.wait_until_mono_ms !== null;
  // Who wants all of them queues for the free ones too, or others could take turns with those for ever.
  remember(draft, agent, event, none && isWait ? claims.filter(isMissing) : refused, facts, view.next);
  const seen = mayDeadlock(draft, agent)
    ? findDeadlocks(view, draft, { id: agent.id, waits: isWait ? paths : [] }, facts, view.next)
    : { found: untold(draft, agent.id) };
  if ('need' in seen) return seen;
  const deadlocks = seen.found;
  const isOver = isWait && deadlocks.some((dead) => mustStop(dead, agent, paths));
  if (isOver) stopWaiting(draft, agent, paths, event.mode, facts);
  if (isWait) noteTold(draft, agent, paths, deadlocks);
  const results = claims.map((entry) => resultOf(draft, agent, entry.path, entry.claim));
  return answer(
    draft,
    agent,
    facts,
    results.map((result) => withDeadlock(result, agent, deadlocks, isOver)),
  );
}

const mayDeadlock = (draft: Draft, agent: AgentState): boolean =>
  draft.wait(agent.id).edges.some(({ kind }) => kind === 'wait');

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

function grant(
  draft: Draft,
  agent: AgentState,
  event: AcquireEvent,
  entries: readonly Entry[],
  facts: Facts,
  next: Lsn,
): void {
  const granted: RepoPath[] = [];
  const ttl_ms = event.ttl_ms ?? facts.policy.ttl_ms;
  for (const { path, claim } of entries) {
    if (claim.verdict === 'held') lengthen(draft, path, claim.hold, ttl_ms);
    if (claim.verdict !== 'free') continue;
    revoke(draft, path, claim.yielded, agent, facts);
    draft.setPath(path, {
      ...draft.path(path),
      holds: [...claim.keep, newHold(agent, event.mode, ttl_ms, facts, next)],
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
  draft.record({
    type: 'hold',
    agent: agent.id,
    ts_ms: facts.now.wall_ms,
    paths: granted,
    mode: event.mode,
    token: next,
  });
}

/** Who holds a file and asks for it again has it for at least as long as was asked for now; never for less. */
function lengthen(draft: Draft, path: RepoPath, hold: Hold, ttl_ms: number): void {
  if (ttl_ms <= hold.ttl_ms) return;
  const state = draft.path(path);
  draft.setPath(path, {
    ...state,
    holds: state.holds.map((one) => (one.token === hold.token ? { ...one, ttl_ms } : one)),
  });
}

function dropEdges(draft: Draft, agent: AgentState, paths: readonly RepoPath[]): void {
  const wait = draft.wait(agent.id);
  const left = wait.edges.filter((edge) => !paths.includes(edge.path));
  if (left.length < wait.edges.length) draft.setWait(agent.id, { ...wait, edges: left });
}

function remember(
  draft: Draft,
  agent: AgentState,
  event: AcquireEvent,
  entries: readonly Entry[],
  facts: Facts,
  next: Lsn,
): void {
  const until = ticketEnd(event, facts);
  for (const { path, claim } of entries) {
    if (until !== null) queueUp(draft, agent, path, event.mode, until, facts, next);
    if (!addEdge(draft, agent, path, event.mode, until, facts)) continue;
    draft.record({
      type: 'wait',
      agent: agent.id,
      ts_ms: facts.now.wall_ms,
      path,
      kind: until === null ? 'wanted' : 'wait',
      holders: claim.verdict === 'blocked' ? claim.blocked.holders : [],
      mode: event.mode,
    });
  }
}

function ticketEnd({ wait_until_mono_ms: until }: AcquireEvent, { now }: Facts): number | null {
  return until === null ? null : Math.min(until, now.mono_ms + TICKET_MS);
}

function queueUp(
  draft: Draft,
  agent: AgentState,
  path: RepoPath,
  mode: Mode,
  until: number,
  facts: Facts,
  next: Lsn,
): void {
  const state = draft.path(path);
  const live = state.queue.filter((ticket) => isTicketLive(draft, ticket, facts));
  const own = live.find((ticket) => ticket.agent === agent.id);
  if (own !== undefined && isEnough(own.until_mono_ms, until)) return;
  const ticket = {
    agent: agent.id,
    mode,
    epoch: agent.epoch,
    ticket: own?.ticket ?? placeOf(draft, agent, path, live, facts) ?? next,
    since_mono_ms: own?.since_mono_ms ?? facts.now.mono_ms,
    until_mono_ms: until,
    boot: facts.now.boot,
  };
  draft.setPath(path, {
    ...state,
    queue: [...live.filter((other) => other.agent !== agent.id), ticket],
  });
}

/** A subagent whose parent holds the path will take it over, so it stands in front of those who wait for the parent. */
function placeOf(
  draft: Draft,
  agent: AgentState,
  path: RepoPath,
  queue: readonly Ticket[],
  facts: Facts,
): number | undefined {
  const delegated = liveHolds(draft, path, facts).some((hold) => hold.agent === agent.parent);
  return delegated && queue.length > 0 ? Math.min(...queue.map(({ ticket }) => ticket)) - 1 : undefined;
}

function resultOf(draft: Draft, agent: AgentState, path: RepoPath, claimed: Claim): AcquireResult {
  const hold = draft
    .path(path)
    .holds.find((entry) => entry.agent === agent.id && entry.epoch === agent.epoch);
  if (claimed.verdict === 'blocked') return refusal(path, claimed.blocked);
  // Free, but not taken because all were wanted and another path was not free.
  if (hold === undefined) return refusal(path, null);
  return {
    path,
    acquired: true,
    holder: null,
    holders: [],
    token: hold.token,
    expires_at: rfc3339(hold.since_wall_ms + expiresAt(draft, hold) - hold.since_mono_ms),
  };
}

function refusal(path: RepoPath, blocked: Blocked | null): AcquireResult {
  return {
    path,
    acquired: false,
    holder: blocked?.holder ?? null,
    holders: blocked?.holders ?? [],
    token: null,
    expires_at: null,
  };
}
