/** What the keys of a policy may be that have a few values, the weakest first: types, configuration and install.json have it from here. */
export const POLICY_VALUES = {
  /** Whether a write needs a lease. */
  enforcement: ['off', 'auto', 'required'],
  /** Which existing files must have been read. */
  unread: ['off', 'changed', 'always'],
  /** A command line over a file that nobody holds takes its lease until it ends; or the agent has to hold it. */
  commands: ['take', 'required'],
  /** What becomes of a command line that writes where nobody can tell before it runs. */
  unresolved: ['pass', 'deny'],
  /** When leases end by themselves. */
  release_on: ['stop', 'session_end', 'never'],
  /** Who of a deadlock must let go: last wrote the fewest files, holds the fewest leases, joined last. None is weaker. */
  victim: ['least_work', 'fewest_leases', 'youngest'],
  /** What happens to it beyond being told: a drafted agent is ended, its leases in the cycle end, nothing. */
  resolve: ['cancel', 'release', 'notify'],
  /** What a request that nobody answered in time leads to. None is weaker. */
  escalate: ['off', 'record', 'remind'],
  /** Whether leases in one checkout say anything to another: nothing, who has what is told, or they count in all of them. */
  lease_scope: ['apart', 'told', 'together'],
} as const;

type PolicyValue<K extends keyof typeof POLICY_VALUES> = (typeof POLICY_VALUES)[K][number];

/** The policy in force, in this module's terms; src/config makes it. Durations in milliseconds. */
export interface Policy {
  readonly enforcement: PolicyValue<'enforcement'>;
  readonly unread: PolicyValue<'unread'>;
  readonly ttl_ms: number;
  /** A command line over a file that nobody holds takes its lease until it ends; or the agent has to hold it. Absent: `take`. */
  readonly commands?: PolicyValue<'commands'>;
  /** What becomes of a command line that writes where nobody can tell before it runs. Absent: `pass`. */
  readonly unresolved?: PolicyValue<'unresolved'>;
  /** A lease whose holder showed no sign of life this long yields to whoever asks. */
  readonly idle_ms: number;
  readonly release_on: PolicyValue<'release_on'>;
  /** How long a refused try counts as "wanted". */
  readonly wanted_ms: number;
  /** Who of a deadlock must let go: joined last, holds the fewest leases, last wrote the fewest files. */
  readonly victim: PolicyValue<'victim'>;
  /** What happens to it beyond being told: nothing, its leases in the cycle end, a drafted agent is ended. */
  readonly resolve: PolicyValue<'resolve'>;
  /** Most reservations of one agent (reserve.ts has the default). */
  readonly reservation_quota?: number;
  /** Most messages of one agent in a minute (message.ts has the default). */
  readonly messages_per_minute?: number;
  /** What a request that nobody answered in time leads to; off by default. */
  readonly escalate?: PolicyValue<'escalate'>;
  /** Whether leases in one checkout say anything to another (rules/scope-change.ts). Absent: `apart`. */
  readonly lease_scope?: PolicyValue<'lease_scope'>;
}
