// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Rebuilds the tree of places from all reservations: it is incomplete if an older guard reserved something. */
import { agentOfKey, GLOBS, UNLISTED } from '../keys.ts';
import type { Key } from '../ledger.ts';
import { type Changes, changesOver } from '../states.ts';
import { enter } from './places.ts';
import { heldBy } from './reserved.ts';
import { placesOf } from './reserved-index.ts';

type PlaceChange = readonly [Key, object | null];

/** The changes needed for that. */
export function placesAnew(changes: Changes): PlaceChange[] {
  const { view } = changes;
  const made = new Map<Key, object>();
  const tree = treeInto(made);
  for (const [key] of view.range(GLOBS)) {
    const agent = agentOfKey(key);
    if (agent === '' || agent === UNLISTED) continue;
    for (const place of placesOf(heldBy(changes, agent)).values()) enter(tree, place, agent);
  }
  const known = [...view.range('begins:'), ...view.range('below:')];
  const over = known.filter(([key]) => !made.has(key)).map(([key]) => [key, null] as const);
  return [...made, ...over];
}

/** Changes of a ledger whose tree is still empty. */
function treeInto(made: Map<Key, object>): Changes {
  const nothing = { next: 0, get: () => undefined, range: () => [] };
  return {
    ...changesOver(nothing),
    get: (key) => made.get(key) as never,
    set: (key, state) => (state === null ? made.delete(key) : made.set(key, state)),
  };
}
