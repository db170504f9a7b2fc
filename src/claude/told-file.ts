/**
 * What a server is about to tell an agent, in a file next to its socket, until the launcher has the answer. Each line is
 * JSON, and the last one may be cut.
 */
import type { HookOutput } from './output.ts';

/** The result of a rule's step, by the id of its commit; a text that is about to be marked as told; the whole answer. */
export type KeptLine =
  | { readonly id: string; readonly agent: string; readonly result: unknown }
  | { readonly note: string }
  | { readonly answer: HookOutput };

const SUFFIX = '.told';

export const toldFile = (state_dir: string, request: string): string =>
  `${state_dir}/warm/${request}${SUFFIX}`;

export const isToldFile = (name: string): boolean => name.endsWith(SUFFIX);
