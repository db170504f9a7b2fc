// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * `globs:`, which shows whether there are reservations and, for guards up to 0.1 that know no places, which agents have
 * them. Each first grant of an agent rewrites it, so it has room for only some agents. For those old guards, the rest
 * is represented by a reservation of everything by an agent they do not know: what they cannot list, they leave alone.
 */
import { GLOBS, reservedKey, UNLISTED } from '../keys.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts } from '../types.ts';
import type { Place } from './places.ts';
import { asReserved, asReservedIndex, type Reservation } from './reserved.ts';

/** Agents with their own line. */
const LISTED_MAX = 32;
/** The most root names per line; if there are more, the root itself is listed. */
const NAMES_MAX = 8;
/** The substitute reservation outlasts the ones it represents by this much, so that not every grant rewrites it. */
const SPARE_MS = 3_600_000;

export const isFull = (changes: Changes): boolean => {
  const { agents } = asReservedIndex(changes.get(GLOBS));
  return Object.keys(agents).length >= LISTED_MAX && !Object.hasOwn(agents, UNLISTED);
};

/** An agent's present reservations, and where they begin. */
export interface Reserved {
  readonly held: readonly Reservation[];
  readonly places: readonly Place[];
}

/** Records where an agent has reservations now. */
export function listReserver(changes: Changes, agent: AgentId, { held, places }: Reserved): void {
  const agents = new Map(Object.entries(asReservedIndex(changes.get(GLOBS)).agents));
  const where = rootNames(places);
  if (JSON.stringify(agents.get(agent) ?? []) === JSON.stringify(where)) return;
  if (where.length > 0 && !agents.has(agent) && agents.size >= LISTED_MAX) {
    coverRest(changes, held);
    return;
  }
  agents.delete(agent);
  if (where.length > 0) agents.set(agent, where);
  write(changes, agents);
}

function rootNames(places: readonly Place[]): string[] {
  const names = [...new Set(places.map(({ scope, names: [first = '*'] }) => scope + first))].sort();
  return names.length > NAMES_MAX ? [...new Set(places.map(({ scope }) => `${scope}*`))].sort() : names;
}

const write = (changes: Changes, agents: ReadonlyMap<AgentId, readonly string[]>): void =>
  changes.set(GLOBS, agents.size === 0 ? null : { agents: Object.fromEntries(agents) });

const TOO_OLD = 'More agents reserve files here than this version of guard can list. Update it.';

function coverRest(changes: Changes, held: readonly Reservation[]): void {
  const key = reservedKey(UNLISTED);
  const before = asReserved(changes.get(key)).held;
  const after = held.reduce(covering, before);
  if (after !== before) changes.set(key, { held: after });
  const agents = new Map(Object.entries(asReservedIndex(changes.get(GLOBS)).agents));
  const where = [...new Set(after.map(({ scope }) => `${scope}*`))];
  if (JSON.stringify(agents.get(UNLISTED)) === JSON.stringify(where)) return;
  write(changes, agents.set(UNLISTED, where));
}

/** In the same checkout, on the same clock, for at least as long. */
function covering(all: readonly Reservation[], one: Reservation): readonly Reservation[] {
  const isSame = ({ scope, boot }: Reservation): boolean => scope === one.scope && boot === one.boot;
  const known = all.find(isSame);
  if (known !== undefined && known.until_mono_ms >= one.until_mono_ms) return all;
  const { scope, boot, since_wall_ms } = one;
  const rest: Reservation = {
    ...{ id: 'r-0', scope, pattern: '**', mode: 'exclusive', reason: TOO_OLD, token: 0, since_wall_ms },
    until_wall_ms: one.until_wall_ms + SPARE_MS,
    until_mono_ms: one.until_mono_ms + SPARE_MS,
    ...{ boot, life: null },
  };
  return [...all.filter((other) => !isSame(other)), rest];
}

/** Removes the substitute reservation once nothing it represents can be left. */
export function uncover(changes: Changes, { now }: Facts): void {
  const { agents } = asReservedIndex(changes.get(GLOBS));
  if (!Object.hasOwn(agents, UNLISTED)) return;
  const { held } = asReserved(changes.get(reservedKey(UNLISTED)));
  const isOver = ({ boot, until_mono_ms }: Reservation): boolean =>
    boot === now.boot && until_mono_ms <= now.mono_ms;
  if (!held.every(isOver)) return;
  changes.set(reservedKey(UNLISTED), null);
  write(changes, new Map(Object.entries(agents).filter(([id]) => id !== UNLISTED)));
}
