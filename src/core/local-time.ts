/** Dates and times as a person's own clock shows them. */
const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-01-31` */
export function localDate(ms: number): string {
  const at = new Date(ms);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** `14:03:22` */
export function localTime(ms: number): string {
  const at = new Date(ms);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** `2026-01-31 14:03:22` */
export const localMoment = (ms: number): string => `${localDate(ms)} ${localTime(ms)}`;
