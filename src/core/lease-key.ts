import { pathKey, PATHS, pathOfKey } from './keys.ts';
import type { Key } from './ledger.ts';
import { inRepository } from './lease-scope.ts';

/** The key of a file's lease, from the file's key, if machines share the ledger. */
export const leaseKey = (key: Key): Key =>
  key.startsWith(PATHS) ? pathKey(inRepository(pathOfKey(key))) : key;
