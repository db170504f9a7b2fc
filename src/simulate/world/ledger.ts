/**
 * The rules over states that last as long as one simulation: the decisions of `src/core`, applied immediately. It has no
 * engine, because there is one caller, nothing is kept, and no record is read again.
 */
import { decide, type EventOf, type EventType, type Rules } from '../../core/decide.ts';
import { applyRecord, type Snapshot } from '../../core/fold.ts';
import type { Json, Key, LedgerRecord, View } from '../../core/ledger.ts';
import type { Facts } from '../../core/types.ts';
import { fill, fillAll, NEXT } from '../../store/placeholder.ts';

export interface LedgerThen {
  readonly get: (key: Key) => Json | undefined;
  readonly run: <T extends EventType>(event: EventOf<T>, facts: Facts) => Rules[T]['result'];
}

export function openLedgerThen(): LedgerThen {
  // One map for each class of keys, so that a rule that lists one class does not walk through the others.
  const classes = new Map<string, Snapshot>();
  let lsn = 1;
  const classOf = (key: Key): Snapshot => {
    const name = key.slice(0, key.indexOf(':') + 1);
    const states = classes.get(name) ?? new Map<Key, Json>();
    classes.set(name, states);
    return states;
  };
  const get = (key: Key): Json | undefined => classOf(key).get(key);
  const view: View = {
    next: NEXT,
    get,
    range: (prefix) =>
      [...classOf(prefix)].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1)),
  };
  return {
    get,
    run(event, facts) {
      const { records, result } = decide(view, event, facts);
      if (records.length > 0) lsn++;
      for (const { s } of fillAll(records, lsn, facts.now) as unknown as readonly LedgerRecord[])
        for (const [key, state] of Object.entries(s)) applyRecord(classOf(key), { s: { [key]: state } });
      return fill(result, lsn);
    },
  };
}
