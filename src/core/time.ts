/** RFC 3339 with milliseconds. */
export const rfc3339 = (wall_ms: number): string => new Date(wall_ms).toISOString();
