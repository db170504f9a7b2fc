/** A view combined with results of its ranges, so that those keys can also be read one by one. */
import type { Json, Key, View } from './ledger.ts';

/** @param prefixes where `entries` are complete: no other key there has a state. Entries elsewhere are used as well */
export function overlay(
  view: View,
  entries: readonly (readonly [Key, Json])[],
  prefixes: readonly string[],
): View {
  const known = new Map(entries);
  const isCovered = (key: Key): boolean => prefixes.some((prefix) => key.startsWith(prefix));
  return {
    next: view.next,
    indexed: view.indexed,
    get: (key) => known.get(key) ?? (isCovered(key) ? undefined : view.get(key)),
    range: (prefix, since, most) => view.range(prefix, since, most),
  };
}
