import { describe, expect, it } from 'vitest';
import { fittingSpan, windowShown } from '../../src/page/span-shown.ts';
import type { Extent } from '../../src/page/wire.ts';

const NOW_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** A ledger whose first and last record are that old. */
const extent = (first_ms: number, last_ms: number): Extent => ({
  ...{ count: 9, bytes: 9, is_whole: true },
  first: { lsn: 1, ms: NOW_MS - first_ms },
  last: { lsn: 9, ms: NOW_MS - last_ms },
});

describe('the span that the page opens with', () => {
  it('is the last hour, or all of it if the ledger is younger', () => {
    expect(fittingSpan(null, NOW_MS)).toBe('1 h');
    expect(fittingSpan(extent(DAY_MS, 0), NOW_MS)).toBe('1 h');
    expect(fittingSpan(extent(4 * MINUTE_MS, 0), NOW_MS)).toBe('everything');
  });

  it('reaches back to the last record, however long ago that was', () => {
    expect(fittingSpan(extent(9 * DAY_MS, 180 * MINUTE_MS), NOW_MS)).toBe('6 h');
    expect(fittingSpan(extent(9 * DAY_MS, 3 * DAY_MS), NOW_MS)).toBe('1 week');
    expect(fittingSpan(extent(90 * DAY_MS, 30 * DAY_MS), NOW_MS)).toBe('everything');
  });
});

describe('the window shown', () => {
  const shown = (name: '15 min' | 'everything', at_ms: number | null, first_ms = DAY_MS) => {
    const { from_ms, to_ms } = windowShown(extent(first_ms, 0), { name, now_ms: NOW_MS, at_ms });
    return { from: (NOW_MS - from_ms) / MINUTE_MS, to: (NOW_MS - to_ms) / MINUTE_MS };
  };

  it('fills with four minutes of history, not with an hour', () => {
    expect(shown('everything', null, 4 * MINUTE_MS).from).toBeCloseTo(4.08);
    expect(shown('everything', null, 0).from).toBeCloseTo(0.25);
  });

  it('ends now while it contains the moment shown, and otherwise soon after that moment', () => {
    expect(shown('15 min', NOW_MS - 9 * MINUTE_MS)).toEqual({ from: 15, to: 0 });
    const earlier = shown('15 min', NOW_MS - 600 * MINUTE_MS);
    expect(earlier.from - earlier.to).toBeCloseTo(15);
    expect(earlier.to).toBeLessThan(600);
    expect(earlier.from).toBeGreaterThan(600);
    expect(shown('15 min', NOW_MS - 600 * MINUTE_MS - 1_000)).toEqual(earlier);
  });
});
