/** What a step reads, and what it asked for that a look did not include. */
import type { Key } from '../core/ledger.ts';
import { isCovered, keysOf, listName, type LookData } from './look.ts';
import { NEXT } from './placeholder.ts';
import type { Engine, Index, Listed, Read, Sight } from './store.ts';
import { endless } from './told-failure.ts';

/** An agent may hold tens of thousands of files and ask for as many together; a step that asks for more than this never ends. */
export const KEYS_MAX = 100_000;

/** What a step has been shown, and what it asked for that was missing. */
export interface StepReading {
  readonly view: Sight;
  readonly look: LookData;
  readonly missed: Set<Key>;
  readonly gaps: Index[];
  read(): Read;
}

/** Marks a state that the version of its list protects. */
const BY_LIST = -1;

/** @param ask answers immediately and for the same moment; absent: reads missing from `look` are noted */
export function openReading(look: LookData, ask?: Engine<'now'>): StepReading {
  const states = new Map(look.states);
  const lists = new Map<string, Listed>();
  const used = { keys: new Map<Key, number>(), lists: new Map<string, Listed>() };
  const [missed, gaps]: [Set<Key>, Index[]] = [new Set(), []];
  let asked = 0;
  const learn = (list: Listed): void => {
    lists.set(listName(list), list);
    for (const [key, state] of list.entries)
      if (!states.has(key)) states.set(key, { state, version: BY_LIST });
  };
  look.lists.forEach(learn);
  const isListed = (key: Key): boolean => [...used.lists.values()].some((list) => isCovered(list, key));
  const listed = (index: Index): Listed | undefined => {
    const name = listName(index);
    if (!lists.has(name)) ask?.look([], [index]).lists.forEach(learn);
    const list = lists.get(name);
    if (list) used.lists.set(name, list);
    else gaps.push(index);
    return list;
  };
  const stated = (key: Key) => {
    const known = states.get(key);
    if (known !== undefined || (used.lists.size > 0 && isListed(key))) return known;
    if (++asked > KEYS_MAX) throw endless(asked);
    const found = ask?.look([key]).states.get(key);
    if (found === undefined) missed.add(key);
    else states.set(key, found);
    return found;
  };
  return {
    look,
    missed,
    gaps,
    view: {
      next: NEXT,
      tip: look.tip,
      now: look.now,
      indexed: look.indexed,
      get(key) {
        const one = stated(key);
        if (one && one.version !== BY_LIST) used.keys.set(key, one.version);
        return one?.state;
      },
      range: (below, since = 0, most = 0) => listed({ below, since, most })?.entries ?? [],
      keys: (below, after, most, since = 0) => keysOf(listed({ below, since, most, after })),
    },
    read: () => ({ tip: look.tip, indexed: look.indexed, keys: used.keys, lists: [...used.lists.values()] }),
  };
}
