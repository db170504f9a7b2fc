/**
 * The basis of an act's decision. Commits of a shared ledger overlap, so a refusal is not based on the ledger up to one
 * record, but on versions of keys, which must have existed together and must lead to that answer.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Json, Key, LedgerRecord, Lsn } from '../../src/core/ledger.ts';
import type { Store, StoreLook } from '../../src/store/store.ts';
import type { Told, Verdict } from './judge.ts';
import { decide } from './model.ts';

export interface Seen extends Told {
  /** The versions of the act's keys in the look that it was decided on. */
  readonly versions: readonly (readonly [Key, Lsn])[];
}

/** The same store, with the versions of its last look. */
export function noting(store: Store<'later'>): {
  readonly store: Store<'later'>;
  readonly versions: (keys: readonly Key[]) => Seen['versions'];
} {
  let last: StoreLook | undefined;
  return {
    store: {
      ...store,
      look: async (keys, indexes) => (last = await store.look(keys, indexes)),
      async commit(read, records, id) {
        const done = await store.commit(read, records, id);
        if (done.verdict === 'moved') last = done.look;
        return done;
      },
    },
    versions: (keys) => keys.map((key) => [key, last?.states.get(key)?.version ?? 0]),
  };
}

/** A record wrote two of the keys, but only one of them was seen as that record left it. */
const isTorn = ({ lsn, s }: LedgerRecord, versions: Seen['versions']): boolean => {
  const written = versions.filter(([key, version]) => key in s && version > 0);
  return written.some(([, version]) => version >= lsn) && written.some(([, version]) => version < lsn);
};

export function judgeSeen(records: readonly LedgerRecord[], seen: readonly Seen[]): Verdict[] {
  const byLsn = new Map(records.map((record) => [record.lsn, record]));
  return seen.flatMap(({ act, answer, versions }): Verdict[] => {
    const stateOf = (key: Key): Json | undefined => {
      const version = new Map(versions).get(key) ?? 0;
      return byLsn.get(version)?.s[key] ?? undefined;
    };
    const again = decide(act, stateOf, answer.token).answer;
    const isRight = isDeepStrictEqual(again, answer) && !records.some((record) => isTorn(record, versions));
    return isRight ? [] : [{ kind: 'wrong_refusal', lsn: answer.token, detail: `${act.op} ${act.agent}` }];
  });
}
