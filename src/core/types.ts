/**
 * The vocabulary of guard. Code, ledger, messages and documents use only these words.
 *
 * - agent: one session, or one subagent of a session; or a person at a terminal.
 * - main agent: a session's first agent; its subagents have it as their parent.
 * - client: the program that runs agents, such as Claude Code; host: the client that started a process.
 * - drafted agent: an agent whose client guard started; its supervisor is the process that watches it (drafts.ts). Its
 *   role says what it may do, its place lets it run, its share is its part of the budget of its tree.
 * - life: from an agent's join to its end in one process; a returning agent begins another. Machines have lives too.
 * - turn: from a user prompt to the final answer of one agent; a subagent's is its whole run.
 * - op: the exclusive tool call that an agent is in. A command is a Bash line that was approved and has not ended.
 * - person: a user at a terminal; only a person may weaken the protection.
 *
 * - checkout: a directory with the repository's files: the main one, a linked worktree, or another machine's clone.
 * - path: canonical, repo-relative, `/`-separated (src/repo/canonical.ts). A file of a linked worktree is
 *   `//<worktree>/<path>`: one ledger, but another file. Outside every repository: the absolute path.
 * - digest: SHA-256 of a file's bytes, 64 lower-case hex digits; `null` if there is no file.
 * - baseline: the digest that an agent last saw of a path in its turn; last_seen: the same, kept for the session.
 * - stale: the file's digest is no longer the agent's baseline.
 * - drift: a change of a file that no guarded write explains.
 *
 * - lease: a hold on a path that expires on its own. Exclusive, or shared with other shared holders. A lock is the same
 *   thing in commands and messages.
 * - reservation: a lease on a glob, with an id, a reason and its own end.
 * - token (fencing token): the number of a grant; only grows.
 * - holder, waiter, ticket: the agent that has the lease; an agent that wants it; the waiter's place in the queue.
 * - epoch: a number that an agent's leases carry; raising it releases all of them at once.
 * - scope: whether a lease counts in its own checkout or in all of them.
 * - release, expire, revoke: the holder gives the lease up; its ttl passes; guard takes it and notifies the holder.
 * - promise: after a release on request, the requester may try first for a while.
 * - intent: a write that was approved and has not ended (a write in flight); the agent's current op names it.
 * - wait edge, wait-for graph: one agent waits for another; all these edges together.
 * - cycle, deadlock: agents that wait for each other in a ring; the state they are in.
 * - victim, verdict: the agent chosen to give way; the recorded choice, with what it has to release.
 *
 * - ledger, record, lsn, key, view: see ledger.ts. Index: derived from the ledger, and rebuilt if need be.
 * - engine: an implementation of the store.
 * - machine, fleet: one computer; those that share an engine (machines.ts).
 * - rule, event, facts: a rule decides about one type of event from the view and from facts that the shell looked up.
 * - transaction: one look, one rule and one commit; all of its records are stored, or none.
 * - look, glance: reading states for a transaction; what an engine saw of its files in one look without a lock.
 * - message, thread, topic, inbox: what one agent writes to others; messages that belong together; a name that agents
 *   follow; what an agent received. A negotiation is a release request and the answers to it (mailbox.ts).
 * - notice: something guard saw besides the writes it checked, for a person to review (noticed.ts).
 * - pause: a person lets every write pass for a while (`guard off`).
 * - shadow: a file or agent in the namespace of a foreign lock server (shadow.ts).
 * - objection, denial: one reason against a call; the refusal made of all of them, as data. An error (GUARD_ERR_*) is
 *   guard's own failure.
 */
import type { FactsAmong, HeldAmong, WrittenAmong } from './among.ts';
import type { Drift, Drifted } from './drifted.ts';
import type { TakenIn } from './taken-in.ts';
import type { Lsn } from './ledger.ts';
import type { Policy } from './policy/values.ts';
import type { TextForm } from './text-form.ts';
import type { AgentId, Digest, RepoPath } from './ids.ts';

export type { AgentId, Digest, RepoPath } from './ids.ts';
export type { Policy } from './policy/values.ts';

export type Mode = 'exclusive' | 'shared';

/** One reading of the clocks. `mono_ms` counts from boot and never jumps; `boot` identifies that boot. */
export interface Now {
  readonly mono_ms: number;
  readonly boot: string;
  readonly wall_ms: number;
}

/** Identifies a process well enough to be certain that it is gone. `start` is the kernel's start time of the pid. */
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

/** A tool call that has begun and, as far as hooks report, not ended: it counts as activity of its agent. */
export interface OpenCall {
  /** tool_use_id. */
  readonly id: string;
  readonly tool: string;
  readonly since_mono_ms: number;
  /** The end, on the agent's boot, after which the call no longer counts; `null`: as long as a subagent of it lives. */
  readonly until_mono_ms: number | null;
  /** For a call that starts a subagent: whether it asked for the background. Absent: it left that to the client. */
  readonly is_background?: boolean;
  /** The drafted agent that it waits for. Then `until_mono_ms: null` means: as long as that agent lives. */
  readonly awaits?: AgentId;
}

/** An approved command line that has not ended: its writes are in flight, and what it locked for itself is locked. */
export interface OpenCommand {
  /** tool_use_id. */
  readonly id: string;
  /** Files that it announced to write. */
  readonly paths: readonly RepoPath[];
  readonly since_mono_ms: number;
  readonly since_wall_ms: number;
  /** On the agent's boot: the time after which the command no longer counts, even if no end was reported. */
  readonly until_mono_ms: number;
  /** The background task it runs in, and as long as which it lasts. Absent: in the foreground, as far as is known. */
  readonly task?: string;
  /** Roots of other repositories in whose ledgers it is open too. Absent: none. */
  readonly elsewhere?: readonly string[];
}

/** A subagent, and the call that started it. */
export interface Started {
  readonly id: AgentId;
  /** The caller: the session's main agent, or another of its subagents. `null` if there are several candidates. */
  readonly by: AgentId | null;
  /** Open calls of `by` that may have started it. Empty: it runs in the background, so no agent waits for it. */
  readonly calls: readonly string[];
}

/** A wait for the end of a drafted agent, in one of guard's own calls. */
export interface Await {
  readonly agent: AgentId;
  readonly since_mono_ms: number;
  readonly until_mono_ms: number;
  readonly boot: string;
  /** The waiting process. */
  readonly proc: ProcessMark | null;
}

/** The agent reported the end of its turn. A later event of the same turn revokes that. */
export interface TurnOver {
  readonly since_mono_ms: number;
  /** When its leases end; `Number.MAX_SAFE_INTEGER` if they outlast the turn. */
  readonly gone_mono_ms: number;
  /** The turn that ended. An older guard counts the turn up but keeps this mark, which then no longer matches. */
  readonly turn?: number;
}

/** Refused writes of a turn without a later approved write of the same file: one path for each, the first 32. */
export interface RefusedWait {
  readonly turn: number;
  readonly paths: readonly RepoPath[];
}

/** A lease that was taken from its holder, who has not been notified yet. */
export interface Revoked {
  readonly path: RepoPath;
  readonly to: AgentId;
  /**
   * `scope`: `to` changed in which checkouts leases count. `person`: `to` took it back. `away`: it ended before a write
   * under it was recorded, and `to` may be ''.
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
  /** For a subagent: the session's main agent. */
  readonly parent: AgentId | null;
  readonly session: string | null;
  /** The first join; a resumed session keeps it. */
  readonly joined_lsn: Lsn;
  readonly joined_wall_ms: number;
  /** `inherited`: its context came from another agent (fork, second process on one session), so it may be outdated. */
  readonly context: 'own' | 'inherited';
  readonly turn: number;
  /** Leases of an older epoch are released: ending a turn rewrites this number instead of every path. */
  readonly epoch: number;
  readonly active_mono_ms: number;
  /** The same moment on the wall clock, the only one that another machine can compare. */
  readonly active_wall_ms: number;
  readonly boot: string;
  readonly proc: ProcessMark | null;
  /** Its machine, and the life of that in which this agent began (machines.ts). Absent: the ledger is not shared. */
  readonly machine?: { readonly id: string; readonly epoch: Lsn };
  /** False after leaving. */
  readonly live: boolean;
  readonly op: Op | null;
  /** Task ids of background commands that are still running: they keep the leases past the end of a turn. */
  readonly background: readonly string[];
  /** Denials in this turn or run, for the parent's summary. */
  readonly denials: number;
  /** The files that a refused write last named to be locked in one call. */
  readonly told_locks?: ToldLocks;
  /** Absent: nothing was refused. */
  readonly refused?: RefusedWait;
  /** It started subagents: from then on its command lines and theirs are marked. */
  readonly has_subagents?: boolean;
  /** For a session's main agent: what started its subagents, nested ones included. Absent: none known to run. */
  readonly started?: readonly Started[];
  /** Its open calls that may outlast a silence. Absent: none known. */
  readonly calls?: readonly OpenCall[];
  /** Its command lines that write and have not ended. Absent: none. */
  readonly commands?: readonly OpenCommand[];
  /** Its subagents that joined and have not left; their signs of life count as its own. Absent: none. */
  readonly children?: readonly AgentId[];
  /** The shortest ttl it asked for since it last released everything, if shorter than the policy's. */
  readonly shortest_ttl_ms?: number;
  /** Absent: it is at work, or it has ended. */
  readonly turn_over?: TurnOver | undefined;
  /** The turn that a prompt began in this life of the agent: a person's next input may be a message within it. */
  readonly in_turn?: number | undefined;
  /** Leases taken from it that it has not been notified of. Absent: none. */
  readonly revoked?: readonly Revoked[];
  /** Drift of files that it holds or wrote, of which it has not been notified. Absent: none. */
  readonly drifted?: readonly Drifted[];
  /** Writes that were refused and then made in another way. Absent: none. */
  readonly bypassed?: RefusedWait;
  /** The agent or person for whom guard started it. Absent: guard did not start it. */
  readonly drafted_by?: AgentId;
  /** The agent that a foreign lock server means by this id. */
  readonly same_as?: AgentId;
}

export interface Hold extends TakenIn, HeldAmong {
  readonly agent: AgentId;
  readonly mode: Mode;
  readonly token: Lsn;
  /** The holder's epoch at the grant. */
  readonly epoch: number;
  readonly since_wall_ms: number;
  readonly since_mono_ms: number;
  readonly boot: string;
  readonly ttl_ms: number;
  /** The tool_use_id of the command line that took it for itself and with which it ends. Absent: an ordinary lease. */
  readonly command?: string;
}

export interface Ticket {
  readonly agent: AgentId;
  readonly mode: Mode;
  /** The waiter's epoch: a wait from before it gave everything up no longer counts. */
  readonly epoch: number;
  /** Place in the queue: the lsn at which the wait began. */
  readonly ticket: Lsn;
  readonly since_mono_ms: number;
  readonly until_mono_ms: number;
  readonly boot: string;
  /** The waiting process: once it is certainly dead, the ticket no longer counts. Absent: not known. */
  readonly proc?: ProcessMark;
  /** Other processes in which the same agent waits for the same path: the ticket lives as long as one of them does. */
  readonly also?: readonly ProcessMark[];
  /** No one waits with it: the file was released at this agent's request, and for a while this agent may try first. */
  readonly promised?: true;
  /** For a lease that counts in all checkouts. */
  readonly together?: true;
}

/** An approved write: live while its agent's op has the same id. */
export interface Intent extends WrittenAmong {
  readonly agent: AgentId;
  readonly op: string;
  /** The digest that the agent was allowed to overwrite; `null` if there was no file. */
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
  /** When it was written. Absent: recorded by an older guard. */
  readonly wall_ms?: number;
}

/** State of `path:<RepoPath>`. */
export interface PathState {
  readonly holds: readonly Hold[];
  readonly queue: readonly Ticket[];
  readonly intent: Intent | null;
  readonly last_write: LastWrite | null;
  /** The newest change that no guarded write explains. Absent: none known. */
  readonly drift?: Drift;
  /** The lsn of the newest intent or write: a digest taken before it is outdated. */
  readonly touched: Lsn;
}

/** `wait`: queued now. `wanted`: refused, and may come back; never a reason to deny or to pick a victim. */
export interface WaitEdge {
  readonly path: RepoPath;
  readonly kind: 'wait' | 'wanted';
  readonly mode: Mode;
  readonly since_wall_ms: number;
  readonly since_mono_ms: number;
  readonly until_mono_ms: number;
  readonly boot: string;
}

/** One edge of the wait-for graph. */
export interface GraphEdge {
  /** The agent that waits. */
  readonly from: AgentId;
  /** The agent it waits for: that one holds the path, is ahead of it in the queue, or has to end. */
  readonly to: AgentId;
  /** Empty if an agent waits for another agent's end. */
  readonly path: RepoPath;
  readonly kind: WaitEdge['kind'];
  readonly because: 'hold' | 'ticket' | 'agent';
}

/** What a deadlock's victim holds and the previous agent in the cycle waits for. */
export interface LetGo {
  readonly release: readonly RepoPath[];
  /** The ids of its reservations that cover them; each is released as a whole. Absent: none. */
  readonly reservations?: readonly string[];
  /** Those of `release` on which it has a lease. Absent: all. */
  readonly leases?: readonly RepoPath[];
  /** The holder of these leases, if it is the agent that started the victim and waits for it. Absent: the victim. */
  readonly held_by?: AgentId;
}

/** A deadlock in which this agent was chosen to give way. */
export interface DeadlockVerdict extends LetGo {
  /** When it was found. */
  readonly lsn: Lsn;
  /** In order; one of the edges is the victim's own wait. */
  readonly cycle: readonly GraphEdge[];
  readonly resolve: Policy['resolve'];
  /** The victim's wait has ended with this verdict. Until then the verdict stands, whatever else happens. */
  readonly told: boolean;
}

/** State of `wait:<AgentId>`. */
export interface WaitState {
  readonly edges: readonly WaitEdge[];
  readonly verdicts?: readonly DeadlockVerdict[];
  /** Drafted agents whose end it awaits. */
  readonly awaits?: readonly Await[];
}

/** The facts that the shell looked up for one event. Rules read neither clocks nor the process table themselves. */
export interface Facts extends FactsAmong {
  readonly now: Now;
  readonly policy: Policy;
  /** This machine's id: another boot of it ends what the previous one held. Looked up when used. */
  readonly machine: string;
  /** True only if the death is certain; when in doubt, a process is alive. */
  readonly isDead: (proc: ProcessMark) => boolean;
  /** The command for guard here (`guard`, or an absolute command), for the next steps of a denial. */
  readonly guard_command: string;
  /** guard's own locking tool, if its MCP server is registered (`mcp__guard__lock_try`); otherwise absent or `null`. */
  readonly lock_tool?: string | null;
  /** The absolute name of a path in this ledger. */
  readonly spelled?: (path: RepoPath) => string;
}
