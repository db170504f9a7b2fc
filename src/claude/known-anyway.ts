// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * The states that a hook still finds if a shared ledger does not answer the end of something: those that this machine has
 * cached. The end itself is then kept for later (store/late).
 */
import { ifAllowed } from '../core/attempt.ts';
import { isGuardError } from '../core/error.ts';
import type { Key } from '../core/ledger.ts';
import type { Store, StoreLook } from '../store/store.ts';

interface Failed {
  readonly error: unknown;
  /** Receives the keys that are not known. */
  readonly missed: Set<Key>;
}

/** @throws the error, unless it is a shared ledger's */
export function knownAnyway(
  store: Store,
  keys: readonly Key[],
  { error, missed }: Failed,
): Pick<StoreLook, 'get'> {
  if (!isGuardError(error) || !store.supports.shared) throw error;
  // Only a cache can leave events for later, and once it knows that the engine is away it answers without waiting.
  const isCached = store.left !== undefined && error.code === 'GUARD_ERR_ENGINE_AWAY';
  const looks = keys.map((key) => [key, isCached ? ifAllowed(() => store.look([key]), null) : null] as const);
  for (const [key, look] of looks) if (look === null) missed.add(key);
  const found = new Map(looks);
  return { get: (key) => found.get(key)?.get(key) };
}
