/** Compares where reservations begin (core/rules/places.ts) with what agents reserve, for `verifyLedger`. */
import { asList } from '../../core/json-object.ts';
import { GLOBS } from '../../core/keys.ts';
import type { Json, Key } from '../../core/ledger.ts';
import { isPlaceKey } from '../../core/rules/places.ts';
import { placesAnew } from '../../core/rules/places-anew.ts';
import { changesOver } from '../../core/states.ts';

/** The newest of the relevant states. */
export type PlaceFindings = Map<Key, Json>;

export function learnPlace(found: PlaceFindings, key: Key, state: Json): void {
  if (!key.startsWith(GLOBS) && !isPlaceKey(key)) return;
  if (state === null) found.delete(key);
  else found.set(key, state);
}

/** The members of one state of the tree, as strings that can be compared: its lists have no order. */
const members = (key: Key, state: Json | object): string[] =>
  Object.entries(state ?? {}).flatMap(([field, list]) =>
    asList(list).map((one) => `${key} ${field} ${String(one)}`),
  );

/** Counts the members that the tree lacks, and those that no longer represent anything. */
export function judgePlaces(found: PlaceFindings): { readonly missing: number; readonly over: number } {
  const range = (below: string): [Key, Json][] => [...found].filter(([key]) => key.startsWith(below));
  const anew = placesAnew(changesOver({ next: 0, get: (key) => found.get(key), range }));
  const wanted = new Set(anew.flatMap(([key, state]) => (state === null ? [] : members(key, state))));
  const known = new Set([...found].flatMap(([key, state]) => (isPlaceKey(key) ? members(key, state) : [])));
  return {
    missing: [...wanted].filter((one) => !known.has(one)).length,
    over: [...known].filter((one) => !wanted.has(one)).length,
  };
}
