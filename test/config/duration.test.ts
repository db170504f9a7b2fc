import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/config/duration.ts';

it('durations in every spelling', () => {
  const spellings = {
    '500ms': 500,
    '90s': 90_000,
    '15m': 900_000,
    '2h': 7_200_000,
    '90': 90_000,
    '1.5m': 90_000,
    '0s': 0,
  };
  for (const [text, ms] of Object.entries(spellings)) expect(parseDuration(text)).toBe(ms);
  expect(parseDuration(0.25)).toBe(250);
  for (const wrong of [
    '',
    'm',
    '-1s',
    '1d',
    ' 1s',
    '1 s',
    '1s ',
    '1e3',
    '0x10',
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    true,
    [],
    {},
  ]) {
    expect(parseDuration(wrong)).toBeNull();
  }
});

it('what is written is read back', () => {
  fc.assert(fc.property(fc.nat(86_400_000), (ms) => parseDuration(formatDuration(ms)) === ms));
  expect([0, 1, 1000, 90_000, 900_000, 86_400_000].map(formatDuration)).toEqual([
    '0s',
    '1ms',
    '1s',
    '90s',
    '15m',
    '24h',
  ]);
});
