import { expect, it } from 'vitest';
import { ticksOf, tickWords } from '../../src/page/ticks.ts';

it('a time axis has labels that differ, whatever its length', () => {
  const from_ms = Date.parse('2026-03-02T09:00:07.500Z');
  for (const length_ms of [2_000, 90_000, 3_600_000, 86_400_000, 40 * 86_400_000]) {
    const labels = ticksOf(from_ms, from_ms + length_ms, 9).map((ms) => tickWords(ms, length_ms));
    expect(labels.length, `${length_ms}`).toBeGreaterThan(1);
    expect(labels.length).toBeLessThanOrEqual(10);
    expect(new Set(labels).size).toBe(labels.length);
  }
});
