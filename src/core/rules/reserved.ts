// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Which reservations cover a path. Loaded only if there are reservations: the places on the way to the path show which
 * agents may have reserved it (places.ts) or, after an older guard wrote, `globs:` does, by the first names of the
 * root.
 */
import { isAlive, isWriting, passedSince } from '../alive.ts';
import { matchesGlob } from '../glob/match.ts';
import { parseGlob } from '../glob/parse.ts';
import { clashes } from '../modes.ts';
import { AGENTS, agentOfKey, GLOBS, reservedKey, UNLISTED } from '../keys.ts';
import type { Json, Lsn } from '../ledger.ts';
import { isTogether, leaseIn } from '../lease-scope.ts';
import type { Changes } from '../states.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { Blocked } from './blocked.ts';
import { placeOfPath } from './place-of-path.ts';
import { type Place, reserversOn } from './places.ts';
import type { AgentId, AgentState, Facts, Mode, RepoPath } from '../types.ts';
import type { Acting } from './transaction.ts';

/** A glob and where it applies: the main checkout ('') or a linked one (`//<worktree>/`). */
export interface ScopedPattern {
  readonly scope: string;
  readonly pattern: string;
}

/** A lease on every path that a glob matches. It expires on its own, whatever its holder does meanwhile. */
export interface Reservation extends ScopedPattern {
  /** `r-<lsn>` of the grant; renewing keeps it. */
  readonly id: string;
  readonly mode: Mode;
  readonly reason: string;
  readonly token: Lsn;
  readonly since_wall_ms: number;
  readonly until_wall_ms: number;
  readonly until_mono_ms: number;
  readonly boot: string;
  /** Identifies the holder's process, with which the reservation ends; `null` if not known. */
  readonly life: string | null;
  /** If it counts in all checkouts, the one it was made in: a linked worktree, or '' for the main one. */
  readonly at?: string;
}

/** State of `globs:<AgentId>`. */
export interface ReservedState {
  readonly held: readonly Reservation[];
}

/**
 * State of `globs:`: for each agent, the places where its reservations begin, each a checkout and a name of its root,
 * or `*`. If there are more agents than fit, `*` represents the others (listed.ts).
 */
export interface ReservedIndex {
  readonly agents: Readonly<Record<AgentId, readonly string[]>>;
}

export interface OwnedReservation extends Reservation {
  readonly agent: AgentId;
}

export const asReserved = (state: Json | undefined): ReservedState =>
  (state as ReservedState | null | undefined) ?? { held: [] };
export const asReservedIndex = (state: Json | undefined): ReservedIndex =>
  (state as ReservedIndex | null | undefined) ?? { agents: {} };

export const lifeOf = ({ proc }: AgentState): string | null =>
  proc === null ? null : `${proc.boot}:${proc.pid_ns}:${proc.pid}:${proc.start}`;

/** All agents with reservations, and maybe some that no longer have any. */
export function allReservers(changes: Changes): AgentId[] {
  const listed = Object.keys(asReservedIndex(changes.get(GLOBS)).agents);
  const isWhole = changes.view.indexed !== false && !listed.includes(UNLISTED);
  const known = isWhole ? [] : changes.view.range(GLOBS).map(([key]) => agentOfKey(key));
  const all = [...new Set([...listed, ...known])].filter((id) => id !== '' && id !== UNLISTED);
  // For more agents than this, listing their states is faster than reading them one by one.
  if (all.length > 32) for (const below of [AGENTS, GLOBS]) changes.view.range(below);
  return all;
}

/** Agents that may have reserved a path. */
function candidates(changes: Changes, place: Place): AgentId[] {
  if (changes.view.indexed === true) return reserversOn(changes, place);
  const { agents } = asReservedIndex(changes.get(GLOBS));
  if (changes.view.indexed === false || Object.hasOwn(agents, UNLISTED)) return allReservers(changes);
  const begins = new Set([`${place.scope}${place.names[0] ?? ''}`, `${place.scope}*`]);
  return Object.keys(agents).filter((id) => agents[id]?.some((one) => begins.has(one)));
}

/** Live reservations that cover a path, oldest first. */
export function reservationsOn(changes: Changes, path: RepoPath, facts: Facts): readonly OwnedReservation[] {
  const place = placeOfPath(leaseIn(changes, path));
  if (place === null) return [];
  return (
    candidates(changes, { scope: place.scope, names: place.rel.split('/') })
      .flatMap((agent) => heldBy(changes, agent))
      .filter((one) => one.scope === place.scope)
      .filter((one) => matchesGlob(parseGlob(one.pattern), place.rel))
      // A write in flight keeps the reservation under which it was approved.
      .filter((one) => isReservationLive(changes, one, facts) || isWriting(changes, path, one.agent, facts))
      .sort((a, b) => a.token - b.token)
  );
}

/** What existing reservations mean for an agent that wants this path. */
export interface ReservationStanding {
  /** By others than the agent itself and its session's main agent. */
  readonly blocked: Blocked | null;
  /** The agent's own exclusive reservation counts as its lock. */
  readonly is_own: boolean;
  /** It is the agent's own or its session's, so others have no turn before it. */
  readonly is_inside: boolean;
}

export function reservedHere(tx: Acting, path: RepoPath, mode: Mode): ReservationStanding {
  const { id, parent } = tx.agent;
  const reserved = reservationsOn(tx.changes, path, tx.facts);
  const inside = reserved.filter(({ agent }) => agent === id || agent === parent);
  return {
    blocked: blockedBy(reserved.filter((one) => !inside.includes(one) && clashes(one.mode, mode))),
    is_own: inside.some((one) => one.agent === id && one.mode === 'exclusive'),
    is_inside: inside.length > 0,
  };
}

function blockedBy(reserved: readonly OwnedReservation[]): Blocked | null {
  const [oldest] = reserved;
  if (oldest === undefined) return null;
  return {
    because: 'reservation',
    holder: oldest.agent,
    holders: [...new Set(reserved.map(({ agent }) => agent))],
    mode: oldest.mode,
    since: rfc3339(oldest.since_wall_ms),
    expires_at: rfc3339(Math.max(...reserved.map((one) => one.until_wall_ms))),
    reservation: { id: oldest.id, pattern: oldest.pattern, reason: oldest.reason },
    ...(oldest.at === undefined ? {} : { checkout: oldest.at }),
  };
}

export const heldBy = (changes: Changes, agent: AgentId): OwnedReservation[] =>
  asReserved(changes.get(reservedKey(agent))).held.map((one) => ({ ...one, agent }));

/** The agent's reservations that count. */
export function liveReservationsOf(changes: Changes, agent: AgentId, facts: Facts): OwnedReservation[] {
  const held = heldBy(changes, agent);
  return held.length > 0 && isAlive(changes, agent, facts) ? held.filter(heldNow(changes, agent, facts)) : [];
}

export const isReservationLive = (changes: Changes, one: OwnedReservation, facts: Facts): boolean =>
  isAlive(changes, one.agent, facts) && heldNow(changes, one.agent, facts)(one);

/** For an agent that is alive. */
function heldNow(changes: Changes, id: AgentId, facts: Facts): (one: Reservation) => boolean {
  const together = isTogether(changes);
  const agent = changes.agent(id);
  const life = agent && lifeOf(agent);
  return (one) => {
    if (together === (one.at === undefined) || (life && one.life !== null && life !== one.life)) return false;
    if (one.boot === facts.now.boot) return facts.now.mono_ms < one.until_mono_ms;
    if (agent === undefined || agent.boot === facts.now.boot) return false;
    return passedSince(agent, 0, one.since_wall_ms, facts) < one.until_wall_ms - one.since_wall_ms;
  };
}
