/** One look of a waiter at the ledger: a transaction that grants, or queues; and what it saw, to be remembered. */
import { decide } from '../core/decide.ts';
import { AGENTS, GLOBS, pathKey, waitKey } from '../core/keys.ts';
import type { Json, Key, Lsn, View } from '../core/ledger.ts';
import { asProfile, profileKey } from '../core/profiles.ts';
import type { AcquireEvent, AcquireResult } from '../core/rules/acquire.ts';
import type { Facts } from '../core/types.ts';
import type { LockLimits } from '../store/embedded/open.ts';
import type { LockLedger } from './ledger.ts';

export interface Look {
  readonly event: AcquireEvent;
  /** When the wait began. */
  readonly since_mono_ms: number;
}

/** `left`: the waiter left meanwhile, by a command beside this one; nothing was done. */
export type Looked = readonly AcquireResult[] | 'left';

/** What a look saw, and left behind. */
export interface Seen {
  readonly states: ReadonlyMap<Key, Json | undefined>;
  readonly next: Lsn;
}

/**
 * Without blocking the thread while others have the ledger.
 * @param saw called inside of the transaction, so that no later record can be heard before it
 */
export function look(
  ledger: LockLedger,
  { event, since_mono_ms }: Look,
  limits: LockLimits,
  saw: (seen: Seen) => void,
): Promise<Looked> {
  const profile = profileKey(event.who.id);
  let facts: Facts | null = null;
  return ledger.store.transact<Looked>(
    [profile],
    (view) => {
      facts ??= ledger.facts();
      const { left } = asProfile(view.get(profile));
      if (left !== undefined && left.boot === facts.now.boot && left.mono_ms >= since_mono_ms)
        return { records: [], result: 'left' };
      const noted = noting(view, event);
      const step = decide<'lock.acquire'>(noted.view, event, facts);
      if ('need' in step) return step;
      noted.states.set(profile, view.get(profile));
      for (const { s } of step.records)
        for (const key of Object.keys(s))
          if (isAround(key, event)) noted.states.set(key, s[key] ?? undefined);
      saw({ states: noted.states, next: view.next });
      return step;
    },
    limits,
  );
}

function noting(view: View, event: AcquireEvent): { view: View; states: Map<Key, Json | undefined> } {
  const states = new Map<Key, Json | undefined>();
  const get = (key: Key): Json | undefined => {
    const state = view.get(key);
    if (isAround(key, event)) states.set(key, state);
    return state;
  };
  const noted: View = {
    next: view.next,
    has: (key) => view.has(key),
    get,
    range: (prefix, since) => view.range(prefix, since),
  };
  return { states, view: noted };
}

/** Not what only the search for deadlocks reads. */
const isAround = (key: Key, { who, paths }: AcquireEvent): boolean =>
  key.startsWith(AGENTS) ||
  key.startsWith(GLOBS) ||
  key === waitKey(who.id) ||
  paths.some((path) => key === pathKey(path));
