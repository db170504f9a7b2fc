/** The labels of a time axis. */
import { localDate, localTime } from '../core/local-time.ts';

const STEPS_MS = [
  ...[1_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000],
  ...[3_600_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000],
];

export function ticksOf(from_ms: number, to_ms: number, most: number): readonly number[] {
  const length_ms = Math.max(1, to_ms - from_ms);
  const step_ms = STEPS_MS.find((one) => length_ms / one <= most) ?? length_ms / most;
  const first = Math.ceil(from_ms / step_ms) * step_ms;
  const count = Math.max(0, Math.floor((to_ms - first) / step_ms) + 1);
  return Array.from({ length: count }, (_, nth) => first + nth * step_ms);
}

const SHORT_MS = 600_000;
const DAYS_MS = 129_600_000;

/** As exact as the axis: with seconds on a short one, with the date on one of days. */
export function tickWords(ms: number, length_ms: number): string {
  if (length_ms <= SHORT_MS) return localTime(ms);
  const clock = localTime(ms).slice(0, 5);
  return length_ms <= DAYS_MS ? clock : `${localDate(ms).slice(5)} ${clock}`;
}
