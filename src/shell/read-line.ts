/** A command line, read: parsed once, walked in the order in which the shell runs it. */
import type { Start } from './call.ts';
import { NO_EFFECTS } from './effects.ts';
import type { Effects } from './effects.ts';

export function readLine(_line: string, _start: Start): Effects {
  return NO_EFFECTS;
}
