/** `on_end`: a program names it, so it is the user's own word alone. */
import type { ConfigInput } from './load.ts';
import { loadOwnKeys } from './load-own-keys.ts';

/** Program and arguments; empty: nothing is called. */
export const loadOnEnd = (input: Pick<ConfigInput, 'repo' | 'env'>): readonly string[] =>
  loadOwnKeys(input)?.on_end ?? [];
