/** What leases, writes and facts also have where machines share the engine. */

export interface HeldAmong {
  /** The holder's idle time; a shorter one of the agent that asks does not end the lease earlier. Absent: granted by an older guard. */
  readonly idle_ms?: number;
}

export interface WrittenAmong {
  /** The writer's ttl: it counts, not that of the machine that asks. Absent: approved by an older guard. */
  readonly ttl_ms?: number;
}

export interface FactsAmong {
  /** This machine's boot, if `now` is the clock of a shared engine. Absent: `now` is this machine's own clock. */
  readonly machine_boot?: string;
  /**
   * Throws if locks in this ledger would not count on the machines that share the repository's, or may conflict with leases that
   * other machines still rely on (rules/scope-closing.ts). Absent: neither.
   */
  readonly requireJoined?: () => void;
}
