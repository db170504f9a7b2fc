/** `lock try` and the polls of `lock wait`: grants what is free, queues or remembers what is not. */
import { expiresAt } from '../alive.ts';
import { isTicketLive } from '../alive.ts';
import { missingFor } from '../need.ts';
import { waitKey } from '../keys.ts';
import type { Lsn, View } from '../ledger.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import { rfc3339 } from '../time.ts';
import type { AgentState, Facts, Hold, Mode, RepoPath, WaitEdge } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { claim } from './lease.ts';
import type { Blocked, Claim } from './lease.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

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
}

/** Paths in canonical order, each once; results in the same order. */
export function acquire(view: View, event: AcquireEvent, facts: Facts): Step<readonly AcquireResult[]> {
  const paths = [...new Set(event.paths)].sort();
  const missing = missingFor(view, paths, [event.who.id], [waitKey(event.who.id)]);
  if (missing.length > 0) return { need: missing };
  const draft = draftOver(view);
  const agent = present(draft, event.who, facts, view.next);
  const claims = paths.map((path) => ({ path, claim: claim(draft, path, agent, event.mode, facts) }));
  const refused = claims.filter((entry) => entry.claim.verdict === 'blocked');
  const none = event.all && refused.length > 0;
  if (!none) grant(draft, agent, event, claims, facts, view.next);
  remember(
    draft,
    agent,
    event,
    none ? claims.filter(isBlocked) : refused.filter(isBlocked),
    facts,
    view.next,
  );
  return answer(
    draft,
    agent,
    facts,
    claims.map((entry) => resultOf(draft, agent, entry.path, entry.claim)),
  );
}

interface Entry<C extends Claim = Claim> {
  readonly path: RepoPath;
  readonly claim: C;
}
type BlockedEntry = Entry<Extract<Claim, { verdict: 'blocked' }>>;
const isBlocked = (entry: Entry): entry is BlockedEntry => entry.claim.verdict === 'blocked';

function grant(
  draft: Draft,
  agent: AgentState,
  event: AcquireEvent,
  entries: readonly Entry[],
  facts: Facts,
  next: Lsn,
): void {
  const granted: RepoPath[] = [];
  for (const { path, claim } of entries) {
    if (claim.verdict !== 'free') continue;
    revoke(draft, path, claim.yielded, agent, facts);
    draft.setPath(path, {
      ...draft.path(path),
      holds: [...claim.keep, newHold(agent, event.mode, event.ttl_ms ?? facts.policy.ttl_ms, facts, next)],
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

/** A new exclusive or shared lease; `token` is this commit's number. */
export function newHold(agent: AgentState, mode: Mode, ttl_ms: number, facts: Facts, token: Lsn): Hold {
  return {
    agent: agent.id,
    mode,
    token,
    epoch: agent.epoch,
    since_wall_ms: facts.now.wall_ms,
    since_mono_ms: facts.now.mono_ms,
    boot: facts.now.boot,
    ttl_ms,
  };
}

/** Writes down whose leases end because they yielded to this agent. */
export function revoke(
  draft: Draft,
  path: RepoPath,
  holds: readonly Hold[],
  by: AgentState,
  facts: Facts,
): void {
  for (const hold of holds) {
    const state = draft.path(path);
    draft.setPath(path, {
      ...state,
      holds: state.holds.filter((other) => other.token !== hold.token || other.agent !== hold.agent),
    });
    draft.record({
      type: 'revoke',
      agent: hold.agent,
      ts_ms: facts.now.wall_ms,
      path,
      token: hold.token,
      to: by.id,
      cause: by.parent === hold.agent ? 'delegated' : 'idle',
    });
  }
}

function dropEdges(draft: Draft, agent: AgentState, paths: readonly RepoPath[]): void {
  const { edges } = draft.wait(agent.id);
  const left = edges.filter((edge) => !paths.includes(edge.path));
  if (left.length < edges.length) draft.setWait(agent.id, { edges: left });
}

function remember(
  draft: Draft,
  agent: AgentState,
  event: AcquireEvent,
  entries: readonly BlockedEntry[],
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
      holders: claim.blocked.holders,
      mode: event.mode,
    });
  }
}

/**
 * A ticket is renewed by its waiter's polls and ends soon after the last one: a waiter that was killed must not
 * keep the others out for as long as it meant to wait.
 */
const TICKET_MS = 30_000;

function ticketEnd({ wait_until_mono_ms: until }: AcquireEvent, { now }: Facts): number | null {
  return until === null ? null : Math.min(until, now.mono_ms + TICKET_MS);
}

/** Good for half of its time yet, or to the end of the wait. */
const isEnough = (until: number, wanted: number): boolean => wanted - until <= TICKET_MS / 2;

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
    ticket: own?.ticket ?? next,
    since_mono_ms: own?.since_mono_ms ?? facts.now.mono_ms,
    until_mono_ms: until,
    boot: facts.now.boot,
  };
  draft.setPath(path, {
    ...state,
    queue: [...live.filter((other) => other.agent !== agent.id), ticket],
  });
}

/** Adds or replaces the agent's edge to a path; false when one as strong and as long is there already. */
export function addEdge(
  draft: Draft,
  agent: AgentState,
  path: RepoPath,
  mode: Mode,
  wait_until: number | null,
  facts: Facts,
): boolean {
  const { edges } = draft.wait(agent.id);
  const old = edges.find((edge) => edge.path === path);
  if (old !== undefined && serves(old, wait_until, facts)) return false;
  const edge: WaitEdge = {
    path,
    kind: wait_until === null ? 'wanted' : 'wait',
    mode,
    since_wall_ms: facts.now.wall_ms,
    since_mono_ms: facts.now.mono_ms,
    until_mono_ms: wait_until ?? facts.now.mono_ms + facts.policy.wanted_ms,
    boot: facts.now.boot,
  };
  draft.setWait(agent.id, { edges: [...edges.filter((other) => other.path !== path), edge] });
  return true;
}

/** An agent that tries in a loop must not write a record each time: half of the time left is enough. */
function serves(old: WaitEdge, wait_until: number | null, facts: Facts): boolean {
  if (old.boot !== facts.now.boot) return false;
  const left_ms = old.until_mono_ms - facts.now.mono_ms;
  if (wait_until !== null)
    return old.kind === 'wait' && left_ms > 0 && isEnough(old.until_mono_ms, wait_until);
  return left_ms > (old.kind === 'wait' ? 0 : facts.policy.wanted_ms / 2);
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
