/** One look of a waiter at the ledger: a transaction that grants or queues, and the states it saw, to be remembered. */
import { AGENTS, GLOBS, PATHS, pathOfKey, waitKey } from '../core/keys.ts';
import { inMain, SCOPE } from '../core/lease-scope.ts';
import type { Json, Key, Lsn } from '../core/ledger.ts';
import { asProfile, profileKey } from '../core/profiles.ts';
import { isPlaceKey } from '../core/rules/places.ts';
import type { AcquireEvent, AcquireResult } from '../core/rules/acquire.ts';
import { judgeOf } from '../store/operate.ts';
import { type Patience, whileBusy } from '../store/patience.ts';
import type { Sight, Step } from '../store/store.ts';
import { transact } from '../store/transact.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface AcquireLook {
  readonly event: AcquireEvent;
  /** When the wait began. */
  readonly since_mono_ms: number;
}

/** `left`: a parallel command made the waiter leave meanwhile, so nothing was done. */
export type Looked = readonly AcquireResult[] | 'left';

/** The states that a look saw or wrote. */
export interface SeenStates {
  readonly states: readonly (readonly [Key, Json | undefined])[];
  readonly next: Lsn;
}

/**
 * Does not block the thread while other processes have the ledger.
 * @param saw called before anything else can happen in this process, so no later record is received before it
 */
export function look(
  space: Workspace,
  { event, since_mono_ms }: AcquireLook,
  patience: Patience,
  saw: (seen: SeenStates) => void,
): Promise<Looked> {
  const profile = profileKey(event.who.id);
  const step = (view: Sight): Step<Told> => {
    const facts = space.facts();
    const { left } = asProfile(view.get(profile));
    if (left !== undefined && left.boot === facts.now.boot && left.mono_ms >= since_mono_ms)
      return { records: [], result: { looked: 'left', seen: null } };
    const noted = noting(view, event);
    const answer = judgeOf<'lock.acquire'>(space.store, event, facts)(noted.view);
    noted.states.set(profile, view.get(profile));
    for (const { s } of answer.records)
      for (const key of Object.keys(s)) if (isAround(key, event)) noted.states.set(key, s[key] ?? undefined);
    const seen = { states: [...noted.states], next: view.tip };
    return { ...answer, result: { looked: answer.result, seen } };
  };
  const attempt = (): Looked => {
    const { looked, seen } = transact(space.store, step, { wait_ms: 0 });
    if (seen !== null) saw(seen);
    return looked;
  };
  return whileBusy(attempt, patience, () => space.facts().now.mono_ms);
}

interface Told {
  readonly looked: Looked;
  readonly seen: SeenStates | null;
}

function noting(view: Sight, event: AcquireEvent): { view: Sight; states: Map<Key, Json | undefined> } {
  const states = new Map<Key, Json | undefined>();
  const get = (key: Key): Json | undefined => {
    const state = view.get(key);
    if (isAround(key, event)) states.set(key, state);
    return state;
  };
  const noted: Sight = {
    ...{ next: view.next, tip: view.tip, now: view.now },
    indexed: view.indexed,
    get,
    range: (prefix, since) => view.range(prefix, since),
  };
  return { states, view: noted };
}

/** Leaves out what only deadlock detection reads. */
const isAround = (key: Key, { who, paths }: AcquireEvent): boolean =>
  key.startsWith(AGENTS) ||
  key.startsWith(GLOBS) ||
  isPlaceKey(key) ||
  key === SCOPE ||
  key === waitKey(who.id) ||
  // In any checkout: its leases and its writes may be under two names.
  (key.startsWith(PATHS) && paths.some((path) => inMain(pathOfKey(key)) === inMain(path)));
