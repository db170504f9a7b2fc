import { pathKey, PATHS, pathOfKey } from './keys.ts';
import type { Key } from './ledger.ts';
import { leaseIn } from './lease-scope.ts';
import type { Changes } from './states.ts';

/** The key of a file's lease, from the file's key. */
export const leaseKey = (states: Pick<Changes, 'get'>, key: Key): Key =>
  key.startsWith(PATHS) ? pathKey(leaseIn(states, pathOfKey(key))) : key;
