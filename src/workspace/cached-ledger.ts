// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * A shared ledger with this machine's cache of it (docs/decisions/209). The hook before a write whose lease is cached
 * is answered without asking the engine: by the rules, on the states that the engine last acknowledged, and only if
 * they add nothing but the intent. While the engine is away, everything is answered that way, as far as it is known.
 */
import { attempt } from '../core/attempt.ts';
import { type GuardError, isGuardError } from '../core/error.ts';
import { pathKey } from '../core/keys.ts';
import type { Json, Key } from '../core/ledger.ts';
import type { Facts, Now } from '../core/types.ts';
import { lookOf } from '../store/look.ts';
import type { Committed, Index, Listed, Store, StoreLook } from '../store/store.ts';
import { filled, tokensIn } from './kept-tokens.ts';
import { explained, unasked } from './kept-words.ts';
import type { KeptLeases } from './kept-leases.ts';

/** `asked`: the engine answers. `away`: it did not. */
type Lane = 'kept' | 'asked' | 'away';

export const isAway = (error: unknown): error is GuardError =>
  isGuardError(error) && error.code === 'GUARD_ERR_ENGINE_AWAY';

export interface CachedStore extends Store {
  /** The engine's clock, as far as it is known here; null: the engine must be asked. @throws why it did not answer a moment ago */
  readonly clock: () => Now | null;
}

interface CacheUse {
  /** Set in the hook before a call. */
  readonly may_begin: boolean;
  /** Null: no decision is made, and no lease cached. */
  readonly facts: () => Facts | null;
}

/** The longest time that a hook may take before the write that it approves. */
const NEAR_MS = 5_000;
/** Factor for a lease's margin. With less time left the engine is asked if it answers: a person may be asked before the write. */
const FAR = 2.5;

/** In place of lists that a look left out, so that a caller that asks for everything again, and more, says what it was shown. */
const WITHOUT = '\0without';
const without = (keys: number): Listed => ({
  below: WITHOUT,
  since: 0,
  most: keys,
  entries: [],
  version: '',
});
const listsIn = (indexes: readonly Index[]): readonly Index[] =>
  indexes.filter(({ below }) => below !== WITHOUT);

export function cachedLedger(store: Store, kept: KeptLeases, { may_begin, facts }: CacheUse): CachedStore {
  let lane: Lane | null = may_begin ? null : 'asked';
  let reason: GuardError | undefined;
  let unknown: readonly (readonly [Key, Json])[] = [];

  const isFar = (key: Key): boolean =>
    kept
      .leases()
      .some(
        ({ path, left_ms, margin_ms }) =>
          kept.leaseKeyOf(key) === pathKey(path) && left_ms > Math.max(NEAR_MS, FAR * margin_ms),
      );
  const fromKept = (keys: readonly Key[], indexes: readonly Index[]): StoreLook | null => {
    const now = kept.now();
    const states = kept.statesOf(keys);
    const asked = listsIn(indexes);
    // What a step asks for on an empty look, in which no agent is alive, it rarely needs. If it learnt no other state
    // since and asks again, it does.
    const isNeeded = indexes.some(({ below, most }) => below === WITHOUT && most === keys.length);
    const isGuess = !isNeeded && asked.some(({ since }) => since === Infinity);
    if (now === null || states === null || (asked.length > 0 && !isGuess)) return null;
    const lists = asked.length > 0 ? [without(keys.length)] : [];
    return lookOf({ states, lists, tip: kept.tip(), now, indexed: kept.indexed() });
  };
  /** @throws the reason why the engine did not answer, along with what is known here */
  const ask = <T>(question: () => T): T => {
    lane = 'asked';
    try {
      return question();
    } catch (error) {
      if (!isAway(error)) throw error;
      lane = 'away';
      kept.away();
      throw (reason = explained(error, kept.leases()));
    }
  };
  const askLook: Store['look'] = (keys, indexes = []) => {
    const asked = kept.moment();
    const seen = ask(() => store.look(keys, listsIn(indexes)));
    kept.learn(seen, asked);
    return seen;
  };
  const look: Store['look'] = (keys, indexes = []) => {
    lane ??= keys.some(isFar) ? 'kept' : 'asked';
    const found = lane === 'asked' ? null : fromKept(keys, indexes);
    if (found !== null) return found;
    if (lane === 'away' && reason !== undefined) throw reason;
    try {
      return askLook(keys, indexes);
    } catch (error) {
      const known = isAway(error) ? fromKept(keys, indexes) : null;
      if (known === null) throw error;
      return known;
    }
  };
  const commitAsked: Store['commit'] = (read, records, id): Committed => {
    const asked = kept.moment();
    kept.end(filled(records, read.tip));
    const done = ask(() => store.commit(read, records, id));
    if (done.verdict === 'moved') kept.learn(done.look, asked);
    // `repeated`: the earlier commit under this id was decided on other states.
    else if (done.verdict === 'done') kept.committed(filled(records, done.lsn), done.lsn, asked);
    return done;
  };
  return {
    ...store,
    look,
    clock() {
      if (lane === 'asked') return null;
      const now = kept.now();
      // Asked again, the engine would be waited for again.
      if (now === null && lane === 'away' && reason !== undefined) throw reason;
      return now;
    },
    commit(read, records, id) {
      if (lane === 'asked') return commitAsked(read, records, id);
      const tokens = tokensIn(records, kept, NEAR_MS);
      // A decision made on cached states must be repeated on current ones.
      if (tokens === null && lane !== 'away')
        return { verdict: 'moved', look: askLook([...read.keys.keys()], read.lists) };
      unknown = filled(records, kept.tip());
      if (tokens !== null) throw unasked(tokens);
      throw reason ?? new Error('nobody said why');
    },
    left() {
      kept.end(unknown);
      kept.leave(unknown);
    },
    close() {
      const judge = attempt(facts, null);
      if (judge !== null) attempt(() => kept.save(judge), undefined);
      store.close();
    },
  };
}
