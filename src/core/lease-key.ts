import { pathKey, PATHS, pathOfKey } from './keys.ts';
import type { Key } from './ledger.ts';
import { inRepository } from './lease-scope.ts';

/** Of a file's key that of its lease, where machines share the ledger. */
export const leaseKey = (key: Key): Key =>
  key.startsWith(PATHS) ? pathKey(inRepository(pathOfKey(key))) : key;
