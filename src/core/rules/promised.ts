/**
 * A file that was released because somebody asked for it is that agent's to try first, for a short while: a ticket without
 * a wait. Without it a bystander wins what others negotiated, and they negotiate again.
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

/** Those that are not settled, in order of asking. */
export const requestsTo = (changes: Changes, holder: AgentId): Negotiation[] =>
  inboxOf(changes, holder).talks.filter(({ to, from }) => to === holder && from !== holder);

/** Whether the request is for this path, among others. */
export function asksFor({ path, over }: Negotiation, released: RepoPath): boolean {
  if (path !== null) return path === released;
  return over !== null && matchesIn(over.scope, parseGlob(over.pattern), released);
}

/** What its holder just let go of. */
export interface LetGoOf {
  readonly paths: readonly RepoPath[];
  readonly reservations: readonly ScopedPattern[];
}

/** Of one request: a pattern may mean any number of files, and each of them is kept from everybody for a while. */
const PROMISED_MAX = 50;

/**
 * To everybody who asked the holder for some of it; `first` stands before the others. Askers and paths are in view.
 * A file once for each request: one that nobody takes back would keep its holder from its own file after every release.
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
    // Records are longer than there are requests: each has a number of its own.
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
    // It waits already, and keeps its place; or it has the file.
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

/** Whoever releases a file that it did not take after all wants no turn either. */
export function waive(changes: Changes, agent: AgentId, path: RepoPath): void {
  const { queue } = changes.path(leaseIn(changes, path));
  const isOwn = queue.some((one) => one.agent === agent && one.promised === true);
  if (isOwn) leaveQueue(changes, path, { id: agent });
}
