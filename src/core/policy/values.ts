/** The values of policy keys that have a fixed set, weakest first: for types, configuration and install.json. */
export const POLICY_VALUES = {
  /** Whether a write needs a lease. */
  enforcement: ['off', 'auto', 'required'],
  /** Which existing files must have been read. */
  unread: ['off', 'changed', 'always'],
  /** Whether a command line leases a free file for its own duration (`take`), or its agent must already hold it. */
  commands: ['take', 'required'],
  /** What happens to a command line whose targets cannot be determined before it runs. */
  unresolved: ['pass', 'deny'],
  /** When leases end on their own. */
  release_on: ['stop', 'session_end', 'never'],
  /** Which agent in a deadlock must give way: last wrote the fewest files, has the fewest leases, joined last. */
  victim: ['least_work', 'fewest_leases', 'youngest'],
  /** What happens to it besides being notified: a drafted agent is ended, its leases in the cycle end, nothing. */
  resolve: ['cancel', 'release', 'notify'],
  /** What happens to a request that was not answered in time. None is weaker. */
  escalate: ['off', 'record', 'remind'],
  /** What leases in one checkout mean to another: nothing, agents are told of them, or they count in all checkouts. */
  lease_scope: ['apart', 'told', 'together'],
} as const;

type PolicyValue<K extends keyof typeof POLICY_VALUES> = (typeof POLICY_VALUES)[K][number];

/** The policy in force, in this module's terms; created by src/config. Durations in milliseconds. */
export interface Policy {
  readonly enforcement: PolicyValue<'enforcement'>;
  readonly unread: PolicyValue<'unread'>;
  readonly ttl_ms: number;
  /** Whether a command line leases a free file for its duration, or its agent must hold it. Absent: `take`. */
  readonly commands?: PolicyValue<'commands'>;
  /** What happens to a command line whose targets cannot be determined before it runs. Absent: `pass`. */
  readonly unresolved?: PolicyValue<'unresolved'>;
  /** A lease whose holder has shown no sign of life for this long yields to the next agent that asks. */
  readonly idle_ms: number;
  readonly release_on: PolicyValue<'release_on'>;
  /** How long a refused try counts as "wanted". */
  readonly wanted_ms: number;
  /** Which agent in a deadlock must give way: wrote the fewest files recently, holds the fewest leases, joined last. */
  readonly victim: PolicyValue<'victim'>;
  /** What happens to it besides being notified: a drafted agent is ended, its leases in the cycle end, nothing. */
  readonly resolve: PolicyValue<'resolve'>;
  /** The most reservations per agent (limits.ts has the default). */
  readonly reservation_quota?: number;
  /** The most messages per agent and minute (limits.ts has the default). */
  readonly messages_per_minute?: number;
  /** What happens to a request that was not answered in time; off by default. */
  readonly escalate?: PolicyValue<'escalate'>;
  /** What leases in one checkout mean to another (rules/scope-change.ts). Absent: `apart`. */
  readonly lease_scope?: PolicyValue<'lease_scope'>;
}
