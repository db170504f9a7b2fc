import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../config/duration.ts';

/** `90s`, `15m`, `2h`, `500ms`; a bare number is seconds, as in the lock tools. For commander's option parser. */
export function duration_ms(text: string): number {
  const value_ms = parseDuration(/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  if (value_ms === null) throw new InvalidArgumentError('Give a duration like 90s, 15m or 2h.');
  return value_ms;
}

/** As long as the configuration allows (KEYS.ttl): a lease of years is a file nobody else can write again. */
export function ttl_ms(text: string): number {
  const value_ms = duration_ms(text);
  if (value_ms <= 0 || value_ms > 86_400_000)
    throw new InvalidArgumentError('Give more than 0 and at most 24h.');
  return value_ms;
}
