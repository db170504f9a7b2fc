/** A text, or why nobody can tell it before it runs. */
import type { Unresolved } from './effects.ts';

export type Reason = Unresolved['reason'];

export interface Unknown {
  readonly reason: Reason;
}

export type Known = string | Unknown;

export const unknown = (reason: Reason): Unknown => ({ reason });
export const isUnknown = (it: Known): it is Unknown => typeof it !== 'string';

/** Unknown where one of them is. */
export function joinedTexts(parts: readonly Known[], between = ''): Known {
  const texts = parts.filter((part) => typeof part === 'string');
  return parts.find(isUnknown) ?? texts.join(between);
}
