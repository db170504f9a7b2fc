/** A view with what its ranges have answered: those keys may be read one by one too. */
import type { Json, Key, View } from './ledger.ts';

/** @param prefixes what the entries are everything of: other keys below have no state. Of what else is there by name the entries are believed, too */
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
