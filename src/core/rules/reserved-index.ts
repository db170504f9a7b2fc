// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** An agent's reservations, the places where they begin, and the list of such agents: states that change together. */
import { isAlive } from '../alive.ts';
import { parseGlob } from '../glob/parse.ts';
import { reservedKey } from '../keys.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import { isFull, listReserver, uncover } from './listed.ts';
import { beginningsOf, enter, leave, type Place, placeKey } from './places.ts';
import { allReservers, heldBy, isReservationLive } from './reserved.ts';
import type { Reservation, ReservedState } from './reserved.ts';

/** Replaces all of the agent's reservations. */
export function indexReservations(changes: Changes, agent: AgentId, held: readonly Reservation[]): void {
  const before = placesOf(heldBy(changes, agent));
  const after = placesOf(held);
  const state: ReservedState | null = held.length === 0 ? null : { held: held.map(plainly) };
  changes.set(reservedKey(agent), state);
  for (const [key, place] of before) if (!after.has(key)) leave(changes, place, agent);
  for (const place of after.values()) enter(changes, place, agent);
  listReserver(changes, agent, { held, places: [...after.values()] });
}

/** The places by their keys. */
export const placesOf = (held: readonly Reservation[]): ReadonlyMap<string, Place> =>
  new Map(
    held
      .flatMap((one) => beginningsOf(one.scope, parseGlob(one.pattern)))
      .map((place) => [placeKey(place), place]),
  );

/**
 * Removes reservations that have ended. Their holder may come back (a subagent with its session, a clock that jumps),
 * but they must not once the same was granted to another agent. Reservations under which a write in flight was approved
 * stay.
 * @param met all agents that may have reservations on what is about to be granted
 */
export function sweep(changes: Changes, met: readonly AgentId[], facts: Facts): void {
  uncover(changes, facts);
  for (const agent of isFull(changes) ? allReservers(changes) : met) {
    const held = heldBy(changes, agent);
    if (changes.agent(agent)?.op && isAlive(changes, agent, facts)) continue;
    const live = held.filter((one) => isReservationLive(changes, one, facts));
    if (live.length < held.length) indexReservations(changes, agent, live);
  }
}

/** Without the agent, which the key already names. */
const plainly = (one: Reservation): Reservation => ({
  id: one.id,
  scope: one.scope,
  pattern: one.pattern,
  mode: one.mode,
  reason: one.reason,
  token: one.token,
  since_wall_ms: one.since_wall_ms,
  until_wall_ms: one.until_wall_ms,
  until_mono_ms: one.until_mono_ms,
  boot: one.boot,
  life: one.life,
  ...(one.at === undefined ? {} : { at: one.at }),
});

/** Leaving ends all of them, by writing only the keys that lead to them. */
export const dropReserved = (changes: Changes, agent: AgentId): void => indexReservations(changes, agent, []);
