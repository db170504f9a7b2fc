/** What an agent reserves and where it begins are two states that change together. */
import { parseGlob } from '../glob/parse.ts';
import { GLOBS, reservedKey } from '../keys.ts';
import type { Draft } from '../states.ts';
import type { AgentId } from '../types.ts';
import { asReservedIndex, beginningsOf } from './reserved.ts';
import type { Reservation, ReservedIndex, ReservedState } from './reserved.ts';

/** Replaces everything that the agent reserves. */
export function keep(draft: Draft, agent: AgentId, held: readonly Reservation[]): void {
  const state: ReservedState | null = held.length === 0 ? null : { held: held.map(plainly) };
  draft.set(reservedKey(agent), state);
  const where = [...new Set(held.flatMap((one) => beginningsOf(one.scope, parseGlob(one.pattern))))].sort();
  const { agents } = asReservedIndex(draft.get(GLOBS));
  if (JSON.stringify(agents[agent] ?? []) === JSON.stringify(where)) return;
  const others = Object.entries(agents).filter(([id]) => id !== agent);
  const all = where.length === 0 ? others : [...others, [agent, where] as const];
  const index: ReservedIndex = { agents: Object.fromEntries(all) };
  draft.set(GLOBS, all.length === 0 ? null : index);
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
export const dropReserved = (draft: Draft, agent: AgentId): void => keep(draft, agent, []);
