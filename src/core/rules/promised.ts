/**
 * A file that was released on request is promised to the requester, which may try first for a short while: a ticket
 * without a wait. Otherwise a bystander wins what others negotiated, and they negotiate again.
 */
import { isAlive, isTicketLive } from '../alive.ts';
import { parseGlob } from '../glob/parse.ts';
import { isTogether, leaseIn } from '../lease-scope.ts';
import { isSameNegotiation, type Negotiation, type NegotiationParties } from '../mailbox.ts';
import { PROMISE_MS } from '../limits.ts';
import type { Changes } from '../states.ts';
import type { AgentId, RepoPath } from '../types.ts';
import { leaveQueue } from './edges.ts';
import { keeps } from './lease.ts';
import { changeNegotiation, inboxOf } from './mail.ts';
import { matchesIn } from './overlap.ts';
import type { ScopedPattern } from './reserved.ts';
import type { Granting } from './transaction.ts';

/** Unsettled requests to this holder, in order of arrival. */
export const requestsTo = (changes: Changes, holder: AgentId): Negotiation[] =>
  inboxOf(changes, holder).talks.filter(({ to, from }) => to === holder && from !== holder);

/** Whether the request covers this path, alone or among others. */
export function asksFor({ path, over }: Negotiation, released: RepoPath): boolean {
  if (path !== null) return path === released;
  return over !== null && matchesIn(over.scope, parseGlob(over.pattern), released);
}

/** What the holder has just released. */
export interface LetGoOf {
  readonly paths: readonly RepoPath[];
  readonly reservations: readonly ScopedPattern[];
}

/** Per request: a pattern may match any number of files, and each of them is kept from all other agents for a while. */
const PROMISED_MAX = 50;

/**
 * Promises the released files to every agent that requested some of them; `first` comes before the others. Requesters
 * and paths are in the view. Each request gets a file only once: a request that is never withdrawn would keep the
 * holder from its own file after every release.
 */
export function keepPromises(tx: Granting, released: LetGoOf, first?: Negotiation): void {
  const { changes, facts, next } = tx;
  const holder = tx.agent.id;
  const all = requestsTo(changes, holder);
  const others = all.filter((one) => first === undefined || !isSameNegotiation(one, first));
  [...(first === undefined ? [] : [first]), ...others].forEach((negotiation, n) => {
    const files = released.paths.filter((path) => asksFor(negotiation, path));
    const { path } = negotiation;
    const covered =
      path !== null && released.reservations.some((one) => promiseCovers(one, path)) ? [path] : [];
    const { promised = [] } = negotiation;
    const paths = [...new Set([...files, ...covered])]
      .filter((one) => !promised.includes(one) && !keeps(changes, one, holder, facts))
      .slice(0, PROMISED_MAX - promised.length);
    // A record is longer than the number of requests, so each gets a distinct number.
    const kept = promise({ changes, facts, next: next + n }, negotiation, paths);
    if (kept.length > 0)
      changeNegotiation(changes, holder, negotiation, { promised: [...promised, ...kept] });
  });
}

const promiseCovers = ({ scope, pattern }: ScopedPattern, path: RepoPath): boolean =>
  matchesIn(scope, parseGlob(pattern), path);

function promise(
  { changes, facts, next: ticket }: Omit<Granting, 'agent'>,
  { from, to }: NegotiationParties,
  paths: readonly RepoPath[],
): readonly RepoPath[] {
  const asker = changes.agent(from);
  if (asker === undefined || !isAlive(changes, from, facts)) return [];
  const { mono_ms, wall_ms, boot } = facts.now;
  const until_mono_ms = mono_ms + PROMISE_MS;
  const scope = isTogether(changes) ? { together: true as const } : {};
  const promised = paths.filter((path) => {
    const state = changes.path(path);
    const live = state.queue.filter((one) => isTicketLive(changes, one, facts));
    // It already waits and keeps its place, or it holds the file.
    if (live.some((one) => one.agent === from) || keeps(changes, path, from, facts)) return false;
    const span = { since_mono_ms: mono_ms, until_mono_ms, boot };
    const place = { agent: from, mode: 'exclusive' as const, epoch: asker.epoch, ticket, ...span };
    changes.setPath(path, { ...state, queue: [...live, { ...place, ...scope, promised: true }] });
    return true;
  });
  if (promised.length === 0) return [];
  changes.record({
    type: 'promise',
    agent: from,
    ts_ms: wall_ms,
    paths: promised,
    by: to,
    ttl_ms: PROMISE_MS,
  });
  return promised;
}

/** An agent that releases a file it did not take after all gives up its turn too. */
export function waive(changes: Changes, agent: AgentId, path: RepoPath): void {
  const { queue } = changes.path(leaseIn(changes, path));
  const isOwn = queue.some((one) => one.agent === agent && one.promised === true);
  if (isOwn) leaveQueue(changes, path, { id: agent });
}
