// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Durations as people write them: `90s`, `15m`, `2h`, `500ms`, or a number of seconds. */

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Whole milliseconds, or `null` if it is not a duration. */
export function parseDuration(value: unknown): number | null {
  if (typeof value === 'number')
    return Number.isFinite(value) && value >= 0 ? Math.round(value * 1000) : null;
  if (typeof value !== 'string') return null;
  const [, digits, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(value) ?? [];
  return digits === undefined ? null : Math.round(Number(digits) * (UNITS_MS[unit] ?? 0));
}

/** The shortest exact spelling. */
export function formatDuration(duration_ms: number): string {
  const [unit, unit_ms] = Object.entries(UNITS_MS).findLast(([, ms]) => duration_ms % ms === 0) ?? ['ms', 1];
  return duration_ms === 0 ? '0s' : `${duration_ms / unit_ms}${unit}`;
}
