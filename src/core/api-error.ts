/** An API that failed a drafted agent. */

/** What the client's API answered last, where that ended the agent. */
export interface ApiError {
  /** Of HTTP; null: the connection itself failed. */
  readonly status: number | null;
  readonly kind: string;
  readonly attempts: number;
  /** The same may succeed later. */
  readonly is_transient: boolean;
}

/** For the how manieth time in a row. */
export interface Retry {
  readonly count: number;
  readonly wait_ms: number;
  /** All that it had taken then. */
  readonly turns: number;
}
