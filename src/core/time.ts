/** The last moment that a date can name. */
const LAST_MS = 8.64e15;

/** RFC 3339 with milliseconds. A duration that somebody made up may reach beyond all dates. */
export const rfc3339 = (wall_ms: number): string => new Date(Math.min(wall_ms, LAST_MS)).toISOString();

/** `70 s`, `3 min`: for people. */
export const duration = (ms: number): string =>
  ms < 120_000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : `${Math.floor(ms / 60_000)} min`;
