/** How many messages and reservations guard keeps, and for how long. Documented in docs/coordination.md. */

export const RESERVE_TTL_MS = 900_000;
export const RESERVE_TTL_MAX_MS = 86_400_000;
/** Per refused pattern. */
export const CONFLICTS_SHOWN = 20;
/** Reservations per agent, unless configured. */
export const RESERVE_QUOTA = 64;

export const BODY_MAX_CHARS = 16_384;
export const SUBJECT_MAX_CHARS = 200;
/** Per inbox. The oldest read messages are dropped first, then the oldest that no hook has to deliver. */
export const INBOX_MAX = 200;
export const THREAD_MAX = 100;
export const TALKS_MAX = 50;
export const RECIPIENTS_MAX = 200;
/** Per agent, unless configured. */
export const MESSAGES_PER_MINUTE = 30;
/** This many receivers of one message count as one message towards the rate. */
export const RECEIVERS_AS_ONE = 20;
/** The most messages that one read of an inbox returns. */
export const PAGE = 50;
/** How many old messages are returned if nothing is unread. */
export const NEWEST = 10;
export const PAGE_CHARS = 65_536;

/** A request without a release-ack expires after this time. This is only advice; nothing is released by force. */
export const TIMEOUT_MINUTES = { normal: 10, urgent: 5 } as const;
export const ETA_MAX_MINUTES = 60;
/** How long the requester of a file may try first. */
export const PROMISE_MS = 20_000;
