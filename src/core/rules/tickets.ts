/** A waiter's ticket: its place in the queue of a path, how long it is valid, and the processes that wait with it. */
import { isTicketLive } from '../alive.ts';
import { isTogether } from '../lease-scope.ts';
import { sameProcess } from '../same-process.ts';
import type { Facts, Mode, ProcessMark, RepoPath, Ticket } from '../types.ts';
import { isEnough, TICKET_MS } from './edges.ts';
import { liveHolds, liveTickets } from './lease.ts';
import type { Acting, Granting } from './transaction.ts';

/**
 * How long a ticket outlives the last look of a process that it names. Anyone who can see that process knows
 * immediately when it is gone; this limit is for those who cannot: other machines, other pid namespaces, older guards.
 */
const KNOWN_TICKET_MS = 2 * TICKET_MS;

/** What is left of a ticket when its waiter renews it: enough for a busy machine. */
export const RENEW_MS = TICKET_MS / 2;

/** One wait, as its process requested it. */
export interface WaitingTicket {
  readonly mode: Mode;
  /** Monotonic end of the wait. */
  readonly until_mono_ms: number;
  /** The process that waits; `null` or absent if not known. */
  readonly waiter?: ProcessMark | null;
}

export const ticketEnd = ({ until_mono_ms, waiter }: WaitingTicket, { now }: Facts): number =>
  Math.min(until_mono_ms, now.mono_ms + (waiter ? KNOWN_TICKET_MS : TICKET_MS));

/** Creates a place in the queue, or extends the agent's existing one. */
export function queueUp(tx: Granting, path: RepoPath, wait: WaitingTicket): void {
  const { changes, agent, facts, next } = tx;
  const state = changes.path(path);
  const live = liveTickets(changes, path, facts);
  const own = live.find((ticket) => ticket.agent === agent.id);
  const until = ticketEnd(wait, facts);
  // A promise becomes a wait, in the same place.
  const isGood = own !== undefined && own.promised !== true && isNamed(own, wait);
  if (isGood && isEnough(own.until_mono_ms, until, facts)) return;
  const ticket: Ticket = {
    agent: agent.id,
    mode: wait.mode,
    epoch: agent.epoch,
    ticket: own?.ticket ?? placeOf(tx, path, live) ?? next,
    since_mono_ms: own?.since_mono_ms ?? facts.now.mono_ms,
    // Of several waits the longest counts: the others end by `unwait`.
    until_mono_ms: Math.max(until, own?.until_mono_ms ?? 0),
    boot: facts.now.boot,
    ...(isTogether(changes) ? { together: true } : {}),
    ...marks(own?.promised === true ? undefined : own, wait, facts),
  };
  changes.setPath(path, {
    ...state,
    queue: [...live.filter((other) => other.agent !== agent.id), ticket],
  });
}

const marksOf = ({ proc, also = [] }: Ticket): readonly ProcessMark[] =>
  proc === undefined ? [] : [proc, ...also];

const isNamed = (own: Ticket, { waiter }: WaitingTicket): boolean =>
  waiter
    ? own.proc === undefined || marksOf(own).some((mark) => sameProcess(mark, waiter))
    : own.proc === undefined;

type Marks = Pick<Ticket, 'proc' | 'also'>;

/** If one waiting process is unknown, only its looks keep the ticket alive, so no process is named. */
function marks(own: Ticket | undefined, { waiter }: WaitingTicket, { isDead }: Facts): Marks {
  if (!waiter || (own !== undefined && own.proc === undefined)) return {};
  const others = own === undefined ? [] : marksOf(own).filter((mark) => !sameProcess(mark, waiter));
  const also = others.filter((mark) => !isDead(mark));
  return { proc: waiter, ...(also.length > 0 ? { also } : {}) };
}

/** A subagent will take over a path its parent holds, so it is placed ahead of those who wait for the parent. */
function placeOf(
  { changes, agent, facts }: Acting,
  path: RepoPath,
  queue: readonly Ticket[],
): number | undefined {
  const delegated = liveHolds(changes, path, facts).some((hold) => hold.agent === agent.parent);
  return delegated && queue.length > 0 ? Math.min(...queue.map(({ ticket }) => ticket)) - 1 : undefined;
}

/**
 * Ends one process's wait; returns true if the ticket stays for others that wait with it.
 * @param waiter `null` if not known, in which case it was the only one
 */
export function staysFor(
  { changes, agent, facts }: Acting,
  path: RepoPath,
  waiter: ProcessMark | null,
): boolean {
  const state = changes.path(path);
  const own = state.queue.find((ticket) => ticket.agent === agent.id);
  if (own === undefined || waiter === null || !isTicketLive(changes, own, facts)) return false;
  const [proc, ...also] = marksOf(own).filter((mark) => !sameProcess(mark, waiter) && !facts.isDead(mark));
  if (proc === undefined) return false;
  const left: Ticket = { ...own, proc, also };
  changes.setPath(path, { ...state, queue: state.queue.map((ticket) => (ticket === own ? left : ticket)) });
  return true;
}
