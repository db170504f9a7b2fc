/** How much of what agents say and reserve guard keeps, and for how long. Documented in docs/coordination.md. */

export const RESERVE_TTL_MS = 900_000;
export const RESERVE_TTL_MAX_MS = 86_400_000;
/** Reservations of one agent, unless configured. */
export const RESERVE_QUOTA = 64;
