/**
 * The vocabulary of guard. Code, ledger, messages and documents use only these words.
 *
 * - agent: one session, or one subagent of a session; or a person at a terminal.
 * - path: canonical, repo-relative, `/`-separated (src/repo/canonical.ts). A file of a linked worktree is
 *   `//<worktree>/<path>`: one ledger, but another file. Outside every repository: the absolute path.
 * - digest: SHA-256 of a file's bytes, 64 lower-case hex digits; `null` where there is no file.
 * - baseline: the digest of what an agent last saw of a path in its turn; last_seen: the same, kept for the session.
 * - turn: from a user prompt to the final answer of one agent; a subagent's is its whole run.
 * - lease: a hold on a path that ends by itself. Exclusive, or shared with other shared holders.
 * - token: number of a grant; only grows.
 * - holder, waiter, ticket: has the lease; wants it; the waiter's place in the queue.
 * - intent: a write that was approved and has not ended; the agent's current op names it.
 * - denial: a refusal, as data. An error (GUARD_ERR_*) is guard's own failure.
 */
import type { Drift, Drifted } from './drifted.ts';
import type { TakenIn } from './taken-in.ts';
import type { Lsn } from './ledger.ts';
import type { Policy } from './policy/values.ts';
import type { TextForm } from './text-form.ts';
import type { AgentId, Digest, RepoPath } from './ids.ts';

export type { AgentId, Digest, RepoPath } from './ids.ts';
export type { Policy } from './policy/values.ts';

export type Mode = 'exclusive' | 'shared';

/** One reading of the clocks. `mono_ms` counts from boot and never jumps; `boot` names the boot it counts from. */
export interface Now {
  readonly mono_ms: number;
  readonly boot: string;
  readonly wall_ms: number;
}

/** Enough to say for certain that a process is gone. `start` is the kernel's start time of the pid. */
export interface ProcessMark {
  readonly pid: number;
  readonly start: string;
  readonly boot: string;
  readonly pid_ns: string;
  readonly machine: string;
}

/** The exclusive tool call an agent is in, from its approval to its end. */
export interface Op {
  /** tool_use_id of the call. */
  readonly id: string;
  readonly tool: string;
  readonly paths: readonly RepoPath[];
  readonly since_wall_ms: number;
}

/** A tool call that began and has not ended, as far as hooks tell: it counts as activity of its agent. */
export interface OpenCall {
  /** tool_use_id. */
  readonly id: string;
  readonly tool: string;
  readonly since_mono_ms: number;
  /** On the agent's boot: from then on the call counts no more; null: as long as a subagent of its agent lives. */
  readonly until_mono_ms: number | null;
  /** Of a call that starts a subagent, what it asked for. Absent: it left that to the client. */
  readonly is_background?: boolean;
  /** The drafted agent that it waits for; null for `until_mono_ms` then means: as long as that one lives. */
  readonly awaits?: AgentId;
}

/** A command line that was approved and has not ended: what it writes is in flight, what it locked for itself is locked. */
export interface OpenCommand {
  /** tool_use_id. */
  readonly id: string;
  /** Files whose write was announced to the others. */
  readonly paths: readonly RepoPath[];
  readonly since_mono_ms: number;
  readonly since_wall_ms: number;
  /** On the agent's boot: from then on the command counts no more, whether its end was heard of or not. */
  readonly until_mono_ms: number;
  /** It runs in the background, for as long as this task does. Absent: in the foreground, as far as is known. */
  readonly task?: string;
  /** Roots of other repositories in whose ledgers it is open, too. Absent: there is none. */
  readonly elsewhere?: readonly string[];
}

/** A subagent, and the call that started it. */
export interface Started {
  readonly id: AgentId;
  /** Who called: the session's main agent, or another of its subagents. Null: it may have been several. */
  readonly by: AgentId | null;
  /** Open calls of `by` that may be the one; none: it runs in the background, so nobody waits for it. */
  readonly calls: readonly string[];
}

/** Waiting for the end of a drafted agent, in a call of guard's own. */
export interface Await {
  readonly agent: AgentId;
  readonly since_mono_ms: number;
  readonly until_mono_ms: number;
  readonly boot: string;
  /** The process that waits. */
  readonly proc: ProcessMark | null;
}

/** The agent said that its turn is over. An event of the same turn takes that back. */
export interface TurnOver {
  readonly since_mono_ms: number;
  /** Its leases are gone from then on; `Number.MAX_SAFE_INTEGER` where they outlast the turn. */
  readonly gone_mono_ms: number;
  /** The turn that is over: a guard that does not know the mark counts the turn on and leaves it standing. */
  readonly turn?: number;
}

/** Refused writes of a turn that no approved write of the same file made good since: a path for each, the first 32. */
export interface RefusedWait {
  readonly turn: number;
  readonly paths: readonly RepoPath[];
}

/** A lease that was taken from its holder, who has not been told. */
export interface Revoked {
  readonly path: RepoPath;
  readonly to: AgentId;
  /**
   * `scope`: `to` changed in which checkouts leases count. `person`: `to` took it back. `away`: it ended before a write under it was told,
   * and `to` may be ''.
   */
  readonly cause: 'idle' | 'subagent' | 'deadlock' | 'scope' | 'person' | 'away';
  readonly wall_ms: number;
  /** How long its holder had been silent. */
  readonly silent_ms?: number;
}

/** Files that a refused write named to be locked in one call. */
export type ToldLocks = Pick<RefusedWait, 'paths'> & { readonly mono_ms: number };

/** State of `agent:<id>`. */
export interface AgentState {
  readonly id: AgentId;
  readonly kind: 'session' | 'subagent' | 'person';
  /** The session's main agent, for a subagent. */
  readonly parent: AgentId | null;
  readonly session: string | null;
  /** First join; a resumed session keeps it. */
  readonly joined_lsn: Lsn;
  readonly joined_wall_ms: number;
  /** `inherited`: its context came from another agent (fork, second process on one session), so it may be old. */
  readonly context: 'own' | 'inherited';
  readonly turn: number;
  /** Leases of an older epoch are released: ending a turn rewrites this number, not every path. */
  readonly epoch: number;
  readonly active_mono_ms: number;
  /** The same moment on the wall clock: all that another machine can compare. */
  readonly active_wall_ms: number;
  readonly boot: string;
  readonly proc: ProcessMark | null;
  /** Where it lives: a machine, and the life of it that this agent began in (machines.ts). Absent: the ledger is one machine's own. */
  readonly machine?: { readonly id: string; readonly epoch: Lsn };
  /** False after leaving. */
  readonly live: boolean;
  readonly op: Op | null;
  /** Background commands that are still running, by task id: they keep the leases over the end of a turn. */
  readonly background: readonly string[];
  /** Denials in this turn or run, for the parent's summary. */
  readonly denials: number;
  /** What a refused write last named to be locked in one call. */
  readonly told_locks?: ToldLocks;
  /** Absent: it was refused nothing. */
  readonly refused?: RefusedWait;
  /** It started subagents: from then on its command lines are marked, and theirs. */
  readonly has_subagents?: boolean;
  /** Of a session's main agent: who started its subagents, nested ones too. Absent: none is known to run. */
  readonly started?: readonly Started[];
  /** Its open calls that may outlast a silence. Absent: none is known. */
  readonly calls?: readonly OpenCall[];
  /** Its command lines that write and have not ended. Absent: there is none. */
  readonly commands?: readonly OpenCommand[];
  /** Its subagents that joined and did not leave, whose signs of life count as its own. Absent: there is none. */
  readonly children?: readonly AgentId[];
  /** The shortest ttl that it asked for since it last let go of everything, where that is shorter than the policy's. */
  readonly shortest_ttl_ms?: number;
  /** Absent: it is at work, or it has ended. */
  readonly turn_over?: TurnOver | undefined;
  /** The turn that a prompt began in this life of the agent: what a person types next may be a message in it. */
  readonly in_turn?: number | undefined;
  /** Absent: it knows of all. */
  readonly revoked?: readonly Revoked[];
  /** Changes past guard of what it holds or wrote, which it has not been told of. Absent: there is none. */
  readonly drifted?: readonly Drifted[];
  /** What was refused to it and then written another way, all the same. Absent: nothing. */
  readonly bypassed?: RefusedWait;
  /** Who started it to work for them, if guard did. */
  readonly drafted_by?: AgentId;
  /** This is only what a foreign lock server calls that agent. */
  readonly same_as?: AgentId;
}

export interface Hold extends TakenIn {
  readonly agent: AgentId;
  readonly mode: Mode;
  readonly token: Lsn;
  /** The holder's epoch at the grant. */
  readonly epoch: number;
  readonly since_wall_ms: number;
  readonly since_mono_ms: number;
  readonly boot: string;
  readonly ttl_ms: number;
  /** Taken by a command line for itself (its tool_use_id), and gone with it. Absent: an ordinary lease. */
  readonly command?: string;
}

export interface Ticket {
  readonly agent: AgentId;
  readonly mode: Mode;
  /** The waiter's epoch: what it gave up, it no longer waits for. */
  readonly epoch: number;
  /** Place in the queue: the lsn at which the wait began. */
  readonly ticket: Lsn;
  readonly since_mono_ms: number;
  readonly until_mono_ms: number;
  readonly boot: string;
  /** The process that waits: certainly dead, there is no ticket. Absent: not known. */
  readonly proc?: ProcessMark;
  /** Others in which the same agent waits for the same path: the ticket lives while one of them does. */
  readonly also?: readonly ProcessMark[];
  /** Nobody waits: the file was released at this agent's request, and for a while it has the first try. */
  readonly promised?: true;
  /** For a lease that counts in all checkouts. */
  readonly together?: true;
}

/** A write that was approved: live while its agent's op carries the same id. */
export interface Intent {
  readonly agent: AgentId;
  readonly op: string;
  /** What the agent was allowed to overwrite; null: no file. */
  readonly digest: Digest | null;
  /** How those bytes were encoded, so that the tool's report of them can be compared (src/claude/text). */
  readonly form: TextForm | null;
  readonly since_wall_ms: number;
}

export interface LastWrite {
  readonly agent: AgentId;
  readonly digest: Digest | null;
  readonly lsn: Lsn;
  readonly op: string | null;
  /** When. Absent: of an older guard. */
  readonly wall_ms?: number;
}

/** State of `path:<RepoPath>`. */
export interface PathState {
  readonly holds: readonly Hold[];
  readonly queue: readonly Ticket[];
  readonly intent: Intent | null;
  readonly last_write: LastWrite | null;
  /** The newest change that no guarded write explains. Absent: none is known. */
  readonly drift?: Drift;
  /** The lsn of the newest intent or write: a digest taken before it is out of date. */
  readonly touched: Lsn;
}

/** `wait`: queued now. `wanted`: was refused and may come back; never a reason to deny or to pick a victim. */
export interface WaitEdge {
  readonly path: RepoPath;
  readonly kind: 'wait' | 'wanted';
  readonly mode: Mode;
  readonly since_wall_ms: number;
  readonly since_mono_ms: number;
  readonly until_mono_ms: number;
  readonly boot: string;
}

/** One arrow of the wait-for graph. */
export interface GraphEdge {
  /** Who waits. */
  readonly from: AgentId;
  /** Whom for: holds the path, stands before it in the queue, or has to end. */
  readonly to: AgentId;
  /** Empty where an agent waits for the end of another one. */
  readonly path: RepoPath;
  readonly kind: WaitEdge['kind'];
  readonly because: 'hold' | 'ticket' | 'agent';
}

/** What the victim of a deadlock holds and the one before it in the cycle waits for. */
export interface LetGo {
  readonly release: readonly RepoPath[];
  /** Its reservations that cover them, by id; each ends as a whole. Absent: there is none. */
  readonly reservations?: readonly string[];
  /** Those of `release` on which it has a lease. Absent: all. */
  readonly leases?: readonly RepoPath[];
  /** Whose leases these are: of the agent that started the victim and waits for it. Absent: the victim's. */
  readonly held_by?: AgentId;
}

/** A deadlock in which this agent was chosen to let go. */
export interface DeadlockVerdict extends LetGo {
  /** When it was found. */
  readonly lsn: Lsn;
  /** In order; one of them is the victim's own wait. */
  readonly cycle: readonly GraphEdge[];
  readonly resolve: Policy['resolve'];
  /** Its wait has ended with it. Until then that is certain, whatever else happens. */
  readonly told: boolean;
}

/** State of `wait:<AgentId>`. */
export interface WaitState {
  readonly edges: readonly WaitEdge[];
  readonly verdicts?: readonly DeadlockVerdict[];
  /** Drafted agents whose end it awaits. */
  readonly awaits?: readonly Await[];
}

/** What the shell looked up for one event. Nothing below reads a clock or a process table by itself. */
export interface Facts {
  readonly now: Now;
  readonly policy: Policy;
  /** This machine's id: another boot of it ends what the former one held. Looked up on use. */
  readonly machine: string;
  /** This machine's boot, where `now` is the clock of an engine that machines share. Absent: `now` is this machine's own. */
  readonly machine_boot?: string;
  /** Certain death only; unsure is alive. */
  readonly isDead: (proc: ProcessMark) => boolean;
  /** How an agent calls guard here (`guard`, or an absolute command), for the next steps of a denial. */
  readonly guard_command: string;
  /** guard's tool for it, where its MCP server is registered (`mcp__guard__lock_try`); absent or null: it is not. */
  readonly lock_tool?: string | null;
  /** The absolute name of a path of this ledger. */
  readonly spelled?: (path: RepoPath) => string;
}
