import { parseDuration } from '../config/duration.ts';
import { WrongValue } from './wrong-value.ts';

/** `90s`, `15m`, `2h`, `500ms`; a bare number is seconds, as in the lock tools. For parsing options. */
export function duration_ms(text: string): number {
  const value_ms = parseDuration(/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  if (value_ms === null) throw new WrongValue('Use a duration like 90s, 15m or 2h.');
  return value_ms;
}
