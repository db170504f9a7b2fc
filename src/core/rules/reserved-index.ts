// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What an agent reserves and where it begins are two states that change together. */
import { isAlive } from '../alive.ts';
import { parseGlob } from '../glob/parse.ts';
import { GLOBS, reservedKey } from '../keys.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import { asReservedIndex, beginningsOf, heldBy, isReservationLive } from './reserved.ts';
import type { Reservation, ReservedIndex, ReservedState } from './reserved.ts';

/** Replaces everything that the agent reserves. */
export const indexReservations = (changes: Changes, agent: AgentId, held: readonly Reservation[]): void =>
  keepAll(changes, new Map([[agent, held]]));

function keepAll(changes: Changes, kept: ReadonlyMap<AgentId, readonly Reservation[]>): void {
  const agents = new Map(Object.entries(asReservedIndex(changes.get(GLOBS)).agents));
  let is_changed = false;
  for (const [agent, held] of kept) {
    const state: ReservedState | null = held.length === 0 ? null : { held: held.map(plainly) };
    changes.set(reservedKey(agent), state);
    const where = [...new Set(held.flatMap((one) => beginningsOf(one.scope, parseGlob(one.pattern))))].sort();
    if (JSON.stringify(agents.get(agent) ?? []) === JSON.stringify(where)) continue;
    is_changed = true;
    agents.delete(agent);
    if (where.length > 0) agents.set(agent, where);
  }
  if (!is_changed) return;
  const index: ReservedIndex = { agents: Object.fromEntries(agents) };
  changes.set(GLOBS, agents.size === 0 ? null : index);
}

/**
 * Takes off what ended by itself. A holder may come back (a subagent with its session, a clock that jumps): what it had
 * must not, once another one was granted the same. What a write in flight was approved under stays.
 */
export function sweep(changes: Changes, facts: Facts): void {
  const kept = new Map<AgentId, readonly Reservation[]>();
  for (const agent of Object.keys(asReservedIndex(changes.get(GLOBS)).agents)) {
    const held = heldBy(changes, agent);
    if (changes.agent(agent)?.op && isAlive(changes, agent, facts)) continue;
    const live = held.filter((one) => isReservationLive(changes, one, facts));
    if (live.length < held.length) kept.set(agent, live);
  }
  if (kept.size > 0) keepAll(changes, kept);
}

/** Without the agent, which the key says already. */
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
});

/** Leaving ends them all, at the cost of two keys, which must be in view. */
export const dropReserved = (changes: Changes, agent: AgentId): void => indexReservations(changes, agent, []);
