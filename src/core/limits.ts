/** How much of what agents say and reserve guard keeps, and for how long. Documented in docs/coordination.md. */

export const RESERVE_TTL_MS = 900_000;
export const RESERVE_TTL_MAX_MS = 86_400_000;
/** For each pattern that is refused. */
export const CONFLICTS_SHOWN = 20;
/** Reservations of one agent, unless configured. */
export const RESERVE_QUOTA = 64;

export const BODY_MAX_CHARS = 16_384;
export const SUBJECT_MAX_CHARS = 200;
/** Of one inbox; the oldest read ones go first, then the oldest that no hook has to tell of. */
export const INBOX_MAX = 200;
export const THREAD_MAX = 100;
export const TALKS_MAX = 50;
export const RECIPIENTS_MAX = 200;
/** Of one agent, unless configured. */
export const MESSAGES_PER_MINUTE = 30;
/** So many receivers of a message count as one message. */
export const RECEIVERS_AS_ONE = 20;
/** What one look into an inbox answers at most. */
export const PAGE = 50;
/** So many old ones where nothing is unread. */
export const NEWEST = 10;
export const PAGE_CHARS = 65_536;

/** Without a release-ack for so long a request has expired: advice, nobody is forced. */
export const TIMEOUT_MINUTES = { normal: 10, urgent: 5 } as const;
export const ETA_MAX_MINUTES = 60;
/** How long whoever asked for a file has the first try at it. */
export const PROMISE_MS = 20_000;
