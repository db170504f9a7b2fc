/** Index keys of holds that are no longer in the state of their path. */
import { pathKey } from './keys.ts';
import type { Json, Key } from './ledger.ts';
import { heldKeys } from './rules/holds.ts';
import { asPathState } from './states.ts';

const HELD = /^held\/\d+\.(\d+)\//;

/** False for anything that is not such a key. */
export function isStale(key: Key, see: (key: Key) => Json | undefined): boolean {
  const [begin, length] = HELD.exec(key) ?? [];
  if (begin === undefined) return false;
  const path = key.slice(begin.length + Number(length) + 1);
  return !heldKeys(path, asPathState(see(pathKey(path))).holds).includes(key);
}
