/** A text, or why nobody can tell it before it runs. */
import type { Unresolved } from './effects.ts';

export type Reason = Unresolved['reason'];

export interface Unknown {
  readonly reason: Reason;
  /** It is names of files, some of those that match these absolute globs. */
  readonly globs?: readonly string[];
  /** In quotes: one word, however many names it has. */
  readonly is_whole?: boolean;
}

export type Known = string | Unknown;

export const unknown = (reason: Reason): Unknown => ({ reason });
export const isUnknown = (it: Known): it is Unknown => typeof it !== 'string';

/** Unknown where one of them is; with something around it, it names other files. */
export function joinedTexts(parts: readonly Known[], between = ''): Known {
  const texts = parts.filter((part) => typeof part === 'string');
  const missing = parts.find(isUnknown);
  if (missing === undefined) return texts.join(between);
  return parts.length === 1 ? missing : unknown(missing.reason);
}
