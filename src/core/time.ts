/** `70 s`, `3 min`: for people. */
export const duration = (ms: number): string =>
  ms < 120_000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : `${Math.floor(ms / 60_000)} min`;

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** `70s`, `8m`, `3h`, `2d`: for columns that are read at a glance. At least 2 of a unit, except for seconds. */
export function age(ms: number): string {
  const [unit, length_ms] = UNITS.find(([, one_ms]) => ms >= 2 * one_ms) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(ms / length_ms))}${unit}`;
}
