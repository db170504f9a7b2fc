/** An API failure that ended a drafted agent. */

/** The last answer of the client's API, if it ended the agent. */
export interface ApiError {
  /** The HTTP status; `null` if the connection itself failed. */
  readonly status: number | null;
  readonly kind: string;
  readonly attempts: number;
  /** The same request may succeed later. */
  readonly is_transient: boolean;
}

/** One retry after failures in a row. */
export interface Retry {
  readonly count: number;
  readonly wait_ms: number;
  /** The number of turns that the agent had taken by then. */
  readonly turns: number;
}
