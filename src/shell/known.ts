/** A text, or the reason why it is unknown before the line runs. */
import type { Unresolved } from './effects.ts';

export type Reason = Unresolved['reason'];

export interface Unknown {
  readonly reason: Reason;
  /** It consists of names of files, some of those that match these absolute globs. */
  readonly globs?: readonly string[];
  /** In quotes: one word, however many names it contains. */
  readonly is_whole?: boolean;
}

export type Known = string | Unknown;

export const unknown = (reason: Reason): Unknown => ({ reason });
export const isUnknown = (it: Known): it is Unknown => typeof it !== 'string';

/** Unknown if one part is; together with other text, it no longer names the same files. */
export function joinedTexts(parts: readonly Known[], between = ''): Known {
  const texts = parts.filter((part) => typeof part === 'string');
  const missing = parts.find(isUnknown);
  if (missing === undefined) return texts.join(between);
  return parts.length === 1 ? missing : unknown(missing.reason);
}
