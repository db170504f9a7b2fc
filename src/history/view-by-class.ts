/** A view of many states whose listings read only keys of their own class. */
import type { Snapshot } from '../core/fold.ts';
import { grouped } from '../core/grouped.ts';
import type { View } from '../core/ledger.ts';

export function viewByClass(states: Snapshot): View {
  const byClass = grouped(
    [...states].sort(([a], [b]) => (a < b ? -1 : 1)),
    ([key]) => classOf(key),
  );
  return {
    // Nothing is granted from past states.
    next: Number.MAX_SAFE_INTEGER,
    get: (key) => states.get(key),
    range: (prefix) => (byClass.get(classOf(prefix)) ?? []).filter(([key]) => key.startsWith(prefix)),
  };
}

const classOf = (key: string): string => key.slice(0, key.indexOf(':') + 1);
