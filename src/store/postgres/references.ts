/**
 * References that a look follows on the server. Whoever looks at a file that somebody holds reads next whether the holder
 * lives, and whether its machine is up; without this each is a round trip. A reference that is missed costs one more.
 */
import { AGENTS, machineKey, PATHS } from '../../core/keys.ts';
import type { Key } from '../../core/ledger.ts';

/** The text before a reference, and the class of the key it is to. Of several holders only the first is followed. */
const REFERENCES = [
  ['"holds":[{"agent":"', AGENTS],
  ['"machine":{"id":"', machineKey('')],
] as const;
const MARKS = REFERENCES.map(([mark]) => mark);
const CLASSES = REFERENCES.map(([, below]) => below);

/** In the order of the parameters of `guard.look_2`. */
export const referencesFrom = (keys: readonly Key[]): readonly [readonly string[], readonly string[]] =>
  keys.some((key) => key.startsWith(PATHS)) ? [MARKS, CLASSES] : [[], []];
