// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Where reservations begin, as a tree of names: the agents that may be in the way of a path are on the way to it, and
 * those in the way of a glob are on the way to its beginning or below that. Only an index: what an agent reserves is in
 * `globs:<agent>`.
 */
import { type Glob, literalOf } from '../glob/pattern.ts';
import type { Json, Key } from '../ledger.ts';
import type { Changes } from '../states.ts';
import type { AgentId } from '../types.ts';
import { namesBucket } from './names-bucket.ts';

/** A directory or a file of a checkout, by the names that lead to it. */
export interface Place {
  readonly scope: string;
  readonly names: readonly string[];
}

/** State of `begins:<place>`: a node of the tree; absent if it has neither agents nor names below. */
export interface PlaceState {
  /** Agents that reserve a glob that begins exactly here. */
  readonly agents: readonly AgentId[];
  /** The numbers of the `below:<n>/<place>` that have names. */
  readonly buckets: readonly number[];
}

/** State of `below:<n>/<place>`: some of the names that continue from it. */
interface NamesState {
  readonly names: readonly string[];
}

/** A glob that begins deeper is entered at this depth, so a search finds it slightly too often. */
const DEPTH_MAX = 8;
/** For more places than this, one listing of all reservations is cheaper. */
const PLACES_MAX = 256;

const spelled = ({ scope, names }: Place): string => scope + names.join('/');
export const placeKey = (place: Place): Key => `begins:${spelled(place)}`;
const namesKey = (place: Place, bucket: number): Key => `below:${bucket}/${spelled(place)}`;
/** Whether the key belongs to the tree. */
export const isPlaceKey = (key: Key): boolean => key.startsWith('begins:') || key.startsWith('below:');

const asPlace = (state: Json | undefined): PlaceState =>
  (state as PlaceState | null | undefined) ?? { agents: [], buckets: [] };
const asNames = (state: Json | undefined): readonly string[] =>
  (state as NamesState | null | undefined)?.names ?? [];

export interface Beginning extends Place {
  /** The glob names one file, this one. */
  readonly is_file: boolean;
}

/** For each alternative, the names before its first wildcard. */
export const beginningsOf = (scope: string, { alternatives }: Glob): Beginning[] =>
  alternatives.map((segments) => {
    const literals = segments.map(literalOf);
    const wild = literals.indexOf(null);
    const names = literals.slice(0, wild < 0 ? DEPTH_MAX : Math.min(wild, DEPTH_MAX)) as string[];
    return { scope, names, is_file: names.length === segments.length };
  });

export function enter(changes: Changes, place: Place, agent: AgentId): void {
  const state = asPlace(changes.get(placeKey(place)));
  if (!state.agents.includes(agent))
    changes.set(placeKey(place), { ...state, agents: [...state.agents, agent] });
  link(changes, place);
}

const parentOf = ({ scope, names }: Place): Place => ({ scope, names: names.slice(0, -1) });

/** If a name is known, so is its directory. */
function link(changes: Changes, place: Place): void {
  const name = place.names.at(-1);
  if (name === undefined) return;
  const [parent, bucket] = [parentOf(place), namesBucket(name)];
  const known = asNames(changes.get(namesKey(parent, bucket)));
  if (known.includes(name)) return;
  changes.set(namesKey(parent, bucket), { names: [...known, name] });
  const state = asPlace(changes.get(placeKey(parent)));
  if (!state.buckets.includes(bucket))
    changes.set(placeKey(parent), { ...state, buckets: [...state.buckets, bucket] });
  link(changes, parent);
}

export function leave(changes: Changes, place: Place, agent: AgentId): void {
  const state = asPlace(changes.get(placeKey(place)));
  if (!state.agents.includes(agent)) return;
  put(changes, place, { ...state, agents: state.agents.filter((one) => one !== agent) });
}

function put(changes: Changes, place: Place, state: PlaceState): void {
  const isEmpty = state.agents.length + state.buckets.length === 0;
  changes.set(placeKey(place), isEmpty ? null : state);
  const name = place.names.at(-1);
  if (!isEmpty || name === undefined) return;
  const [parent, bucket] = [parentOf(place), namesBucket(name)];
  const names = asNames(changes.get(namesKey(parent, bucket))).filter((one) => one !== name);
  changes.set(namesKey(parent, bucket), names.length === 0 ? null : { names });
  if (names.length > 0) return;
  const above = asPlace(changes.get(placeKey(parent)));
  put(changes, parent, { ...above, buckets: above.buckets.filter((one) => one !== bucket) });
}

/** The existing nodes on the way to a place, including itself. */
function onTheWay(changes: Changes, { scope, names }: Place): PlaceState[] {
  const found: PlaceState[] = [];
  for (let depth = 0; depth <= Math.min(names.length, DEPTH_MAX); depth++) {
    const node = asPlace(changes.get(placeKey({ scope, names: names.slice(0, depth) })));
    found.push(node);
    const next = names[depth];
    if (next === undefined || !node.buckets.includes(namesBucket(next))) break;
  }
  return found;
}

/** Agents that may have reserved it. */
export const reserversOn = (changes: Changes, place: Place): AgentId[] => [
  ...new Set(onTheWay(changes, place).flatMap(({ agents }) => agents)),
];

/** Places one name further. */
const further = (changes: Changes, place: Place, buckets: readonly number[]): Place[] =>
  buckets
    .flatMap((bucket) => asNames(changes.get(namesKey(place, bucket))))
    .map((name) => ({ ...place, names: [...place.names, name] }));

/** Agents that may have reserved something that the glob matches too, as far as they are asked for; some come more than once. */
export function* eachReserver(changes: Changes, scope: string, glob: Glob): Generator<AgentId> {
  for (const { is_file, names } of beginningsOf(scope, glob)) {
    for (const { agents } of onTheWay(changes, { scope, names })) yield* agents;
    if (!is_file) yield* eachAt(changes, { scope, names });
  }
}

function* eachAt(changes: Changes, place: Place): Generator<AgentId> {
  const { agents, buckets } = asPlace(changes.get(placeKey(place)));
  yield* agents;
  for (const bucket of buckets)
    for (const next of further(changes, place, [bucket])) yield* eachAt(changes, next);
}

/** The same; `null` if there are too many places to search. */
export function reserversMeeting(changes: Changes, scope: string, glob: Glob): AgentId[] | null {
  const found = new Set<AgentId>();
  let left = PLACES_MAX;
  for (const beginning of beginningsOf(scope, glob)) {
    const open: Place[] = beginning.is_file ? [] : [beginning];
    for (const { agents } of onTheWay(changes, beginning)) for (const id of agents) found.add(id);
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const state = asPlace(changes.get(placeKey(place)));
      for (const id of state.agents) found.add(id);
      open.push(...further(changes, place, state.buckets));
      if (open.length > left || --left < 0) return null;
    }
  }
  return [...found];
}
