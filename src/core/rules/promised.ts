/**
 * A file that was released because somebody asked for it is that agent's to try first, for a short while: a ticket without
 * a wait. Without it a bystander wins what others negotiated, and they negotiate again.
 */
import { isAlive, isTicketLive } from '../alive.ts';
import { parseGlob } from '../glob/parse.ts';
import { GLOBS } from '../keys.ts';
import type { Lsn } from '../ledger.ts';
import { asInbox, inboxKey, isSameNegotiation } from '../mailbox.ts';
import type { Negotiation } from '../mailbox.ts';
import { PROMISE_MS } from '../limits.ts';
import type { Draft } from '../states.ts';
import type { AgentId, Facts, RepoPath } from '../types.ts';
import { leaveQueue } from './edges.ts';
import { liveHolds } from './lease.ts';
import { changeTalk } from './mail.ts';
import { matchesIn } from './overlap.ts';
import { reservationsOn } from './reserved.ts';
import type { Reservation } from './reserved.ts';

const requestsIn = (talks: readonly Negotiation[], holder: AgentId): Negotiation[] =>
  talks.filter(({ to, from }) => to === holder && from !== holder);

/** Those that are not settled, in order of asking. */
export const requestsTo = (draft: Draft, holder: AgentId): Negotiation[] =>
  requestsIn(asInbox(draft.get(inboxKey(holder))).talks, holder);

/** Whether the request is for this path, among others. */
export function asksFor({ path, over }: Negotiation, released: RepoPath): boolean {
  if (path !== null) return path === released;
  return over !== null && matchesIn(over.scope, parseGlob(over.pattern), released);
}

/** What its holder just let go of. */
export interface LetGoOf {
  readonly paths: readonly RepoPath[];
  readonly reservations: readonly Pick<Reservation, 'scope' | 'pattern'>[];
}

/** Of one request: a pattern may mean any number of files, and each of them is kept from everybody for a while. */
const PROMISED_MAX = 50;

/**
 * To everybody who asked the holder for some of it; `first` stands before the others. Askers and paths are in view.
 * A file once for each request: one that nobody takes back would keep its holder from its own file after every release.
 */
export function keepPromises(
  draft: Draft,
  holder: AgentId,
  released: LetGoOf,
  facts: Facts,
  next: Lsn,
  first?: Negotiation,
): void {
  const talks = requestsTo(draft, holder);
  const ordered =
    first === undefined ? talks : [first, ...talks.filter((talk) => !isSameNegotiation(talk, first))];
  ordered.forEach((talk, n) => {
    const files = released.paths.filter((path) => asksFor(talk, path));
    const { path } = talk;
    const covered =
      path !== null && released.reservations.some((one) => promiseCovers(one, path)) ? [path] : [];
    const { promised = [] } = talk;
    const paths = [...new Set([...files, ...covered])]
      .filter((one) => !promised.includes(one) && !holds(draft, holder, one, facts))
      .slice(0, PROMISED_MAX - promised.length);
    // Records are longer than there are requests: each has a number of its own.
    const kept = promise(draft, talk, paths, facts, next + n);
    if (kept.length > 0) changeTalk(draft, holder, talk, { promised: [...promised, ...kept] });
  });
}

export const promiseCovers = ({ scope, pattern }: LetGoOf['reservations'][number], path: RepoPath): boolean =>
  matchesIn(scope, parseGlob(pattern), path);

const holds = (draft: Draft, agent: AgentId, path: RepoPath, facts: Facts): boolean =>
  liveHolds(draft, path, facts).some((hold) => hold.agent === agent) ||
  (draft.get(GLOBS) ? reservationsOn(draft, path, facts).some((one) => one.agent === agent) : false);

function promise(
  draft: Draft,
  { from, to }: Pick<Negotiation, 'from' | 'to'>,
  paths: readonly RepoPath[],
  facts: Facts,
  ticket: Lsn,
): readonly RepoPath[] {
  const asker = draft.agent(from);
  if (asker === undefined || !isAlive(draft, from, facts)) return [];
  const { mono_ms, wall_ms, boot } = facts.now;
  const until_mono_ms = mono_ms + PROMISE_MS;
  const promised = paths.filter((path) => {
    const state = draft.path(path);
    const live = state.queue.filter((one) => isTicketLive(draft, one, facts));
    // It waits already, and keeps its place; or it has the file.
    if (live.some((one) => one.agent === from) || holds(draft, from, path, facts)) return false;
    const span = { since_mono_ms: mono_ms, until_mono_ms, boot };
    const place = { agent: from, mode: 'exclusive' as const, epoch: asker.epoch, ticket, ...span };
    draft.setPath(path, { ...state, queue: [...live, { ...place, promised: true }] });
    return true;
  });
  if (promised.length === 0) return [];
  draft.record({ type: 'promise', agent: from, ts_ms: wall_ms, paths: promised, by: to, ttl_ms: PROMISE_MS });
  return promised;
}

/** Whoever releases a file that it did not take after all wants no turn either. */
export function waive(draft: Draft, agent: AgentId, path: RepoPath): void {
  const isOwn = draft.path(path).queue.some((one) => one.agent === agent && one.promised === true);
  if (isOwn) leaveQueue(draft, path, { id: agent });
}
