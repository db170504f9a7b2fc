/** `on_end`: it names a program, so only the user's own file can set it. */
import type { ConfigInput } from './load.ts';
import { loadOwnKeys } from './load-own-keys.ts';

/** The program and its arguments; empty if nothing is to be run. */
export const loadOnEnd = (input: Pick<ConfigInput, 'repo' | 'env'>): readonly string[] =>
  loadOwnKeys(input)?.on_end ?? [];
