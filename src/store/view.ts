/**
 * Runs a step: gives it a view of the keys it asked for, and runs it again when it needs more. Every engine
 * uses this, so the rules of the view are the same for all.
 */
import { GuardError } from '../core/error.ts';
import type { Json, Key, Lsn, RecordBody, View } from '../core/ledger.ts';
import { isExplicitId } from './record.ts';
import type { Step } from './store.ts';

const NEED_ROUNDS_MAX = 256;
const NEED_KEYS_MAX = 10_000;

/** What an engine can look up inside a transaction. */
export interface Source {
  lookup(key: Key): Json | undefined;
  range(prefix: string, since?: Lsn): readonly (readonly [Key, Json])[];
  readonly next: Lsn;
}

function misuse(message: string, facts: Readonly<Record<string, string | number>>): GuardError {
  return new GuardError('GUARD_ERR_INTERNAL', message, 'Report this as a bug of guard.', facts);
}

/** `keys`, `prefixes`: what may be asked for; undefined: everything. */
export function makeView(source: Source, keys?: ReadonlySet<Key>, prefixes?: readonly string[]): View {
  const known = new Map<Key, Json | undefined>();
  return {
    next: source.next,
    has: (key) => keys?.has(key) !== false,
    get(key) {
      if (keys?.has(key) === false) throw misuse(`The key ${key} was not asked for.`, { key });
      if (!known.has(key)) known.set(key, source.lookup(key));
      return known.get(key);
    },
    range(prefix, since) {
      if (prefixes?.includes(prefix) === false)
        throw misuse(`The range ${prefix} was not asked for.`, { prefix });
      return source.range(prefix, since);
    },
  };
}

/** Runs the step until it answers records. Throws GUARD_ERR_INTERNAL when it never stops asking. */
export function runStep<T>(
  source: Source,
  keys: readonly Key[],
  step: (view: View) => Step<T>,
): { records: readonly RecordBody[]; result: T } {
  const wanted = new Set(keys);
  const view = makeView(source, wanted);
  for (let round = 0; round < NEED_ROUNDS_MAX; round++) {
    const answer = step(view);
    if (!('need' in answer)) return answer;
    const before = wanted.size;
    for (const key of answer.need) wanted.add(key);
    if (wanted.size === before) throw misuse('A step asked again for keys that it has.', { keys: before });
    if (wanted.size > NEED_KEYS_MAX)
      throw misuse(`A step asked for more than ${NEED_KEYS_MAX} keys.`, { keys: wanted.size });
  }
  throw misuse(`A step asked for more keys ${NEED_ROUNDS_MAX} times.`, { keys: wanted.size });
}

/** The explicit ids of a commit, as [agent, id]. Two equal ones in one commit are a mistake. */
export function explicitIds(records: readonly RecordBody[]): readonly (readonly [string, string])[] {
  const seen = new Set<string>();
  const ids: (readonly [string, string])[] = [];
  for (const { agent, id } of records) {
    if (id === undefined || !isExplicitId(id)) continue;
    const both = `${agent}\0${id}`;
    if (seen.has(both)) throw misuse(`The id ${id} is in one commit twice.`, { agent, id });
    seen.add(both);
    ids.push([agent, id]);
  }
  return ids;
}
