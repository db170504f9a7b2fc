/** Denials need attention for ten minutes; of more than fifty, only the newest are shown. */
export const RECENT_DENIALS = { ms: 10 * 60_000, most: 50 } as const;
