/**
 * Drafted agents: clients that guard started on behalf of an agent or a person. `draft:<AgentId>` has all that a later
 * process needs to know about such an agent, except for what is in its log file.
 */
import type { ApiError, Retry } from './api-error.ts';
import type { InQueue } from './in-queue.ts';
import type { Json, Key, View } from './ledger.ts';
import type { Needs } from './needs.ts';
import type { Said } from './said.ts';
import type { CalledAtEnd, LastAtWork } from './seen-end.ts';
import type { AgentId, ProcessMark } from './types.ts';

const DRAFTS = 'draft:';
export const draftKey = (agent: AgentId): Key => `${DRAFTS}${agent}`;

/** How it ended: on its own, with a failure, by request, out of time, over budget; `refused`: it never started. */
export type DraftOutcome = 'completed' | 'failed' | 'killed' | 'timeout' | 'budget' | 'refused';
type DraftStatus = 'queued' | 'starting' | 'running' | DraftOutcome;

/** How deep agents may draft agents, and how many may run at the same time in one repository. */
export interface Bounds {
  readonly depth: number;
  readonly running: number;
}

/** What the harness tools let it do: everything, or only look. */
export type Access = 'full' | 'readonly';

/** `null`: no limit. `tree_…` limits cover this agent and all agents drafted below it; only those of a root apply. */
export interface AgentLimits {
  readonly turns: number | null;
  readonly wall_ms: number;
  readonly cost_usd: number | null;
  /** The longest time without an event of the client. */
  readonly stall_ms: number;
  /** The longest run of the same tool call. */
  readonly repeats: number;
  readonly tree_turns: number | null;
  readonly tree_cost_usd: number | null;
  /** The number of restarts after an API failure that may be temporary. Absent: none. */
  readonly retries?: number;
  readonly retry_after_ms?: number;
}

export interface Usage {
  readonly turns: number;
  /** In US dollars. */
  readonly cost_usd: number;
  /** Includes guard's estimate, from tokens, of what the client has not reported yet. Absent: only reported values. */
  readonly is_estimate?: true;
  /** Number of calls by tool. */
  readonly tools: Readonly<Record<string, number>>;
}

export const NO_USAGE: Usage = { turns: 0, cost_usd: 0, tools: {} };

/** The agent's report of its work, from its last message. */
export interface AgentResult {
  readonly summary: string;
  readonly changes: readonly string[];
  readonly issues: readonly string[];
  readonly questions: readonly string[];
}

/** The agent's own checkout, and what it changed there. */
export interface WorktreeState {
  readonly dir: string;
  readonly branch: string;
  readonly base: string;
  /** Files that differ from `base`, committed or not; null until the agent has ended. */
  readonly changed: readonly string[] | null;
  readonly commits: number;
  /** False if it was removed, because nothing was changed in it or because it was merged or discarded. */
  readonly kept: boolean;
  /** What is missing from it, and why. */
  readonly notes?: readonly string[];
  /** Spent before the agent's own time began. */
  readonly setup_ms?: number;
  /** It is being created and its setup may be running: nothing in it is the agent's work. */
  readonly is_unfinished?: true;
  readonly settled?: WorktreeSettled;
}

/** What happened to it after the agent's end. */
export interface WorktreeSettled {
  readonly how: 'merged' | 'discarded' | 'pruned' | 'gone';
  readonly by: AgentId;
  /**
   * `merged`, `pruned`: the commit that contains it. `discarded`: its state at its end, until git forgets it. `gone`
   * (removed without guard): the commit it began with.
   */
  readonly commit: string;
  /** The checkout that it was merged into. */
  readonly into?: string;
}

export interface DraftState extends InQueue, CalledAtEnd {
  readonly id: AgentId;
  /** Its name for people. */
  readonly name?: string;
  readonly session: string;
  readonly role: string;
  readonly category: string;
  readonly access: Access;
  readonly task: string;
  readonly drafted_by: AgentId;
  /** The drafted agent above it; `null` if a person or a person's session drafted it. */
  readonly parent: AgentId | null;
  readonly root: AgentId;
  /** 1 for a root. */
  readonly depth: number;
  readonly status: DraftStatus;
  readonly limits: AgentLimits;
  /** Limits for its own drafts, whatever configuration those use. */
  readonly bounds?: Bounds;
  readonly usage: Usage;
  /** When its client last reported something that counts. */
  readonly heard_wall_ms?: number;
  /** The process that supervises it: the drafter's until the supervisor has started. */
  readonly supervisor: ProcessMark | null;
  readonly client: ProcessMark | null;
  readonly started_wall_ms: number;
  /** On the boot of `supervisor`; time in which the machine sleeps does not count. */
  readonly started_mono_ms?: number;
  readonly ended_wall_ms: number | null;
  readonly kill: { readonly by: AgentId; readonly reason: string } | null;
  /** Why it ended this way, for people. */
  readonly reason: string | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly last_output: string;
  readonly result: AgentResult | null;
  readonly worktree: WorktreeState | null;
  readonly needs?: Needs | null;
  readonly api_error?: ApiError | null;
  /** The number of this run of its session; absent: the first. */
  readonly dispatch?: number;
  /** When this run began, and the duration of all earlier runs. Absent: there were none. */
  readonly begun_wall_ms?: number;
  readonly ran_ms?: number;
  /** Its client has created the session, so the session can be resumed. */
  readonly has_session?: true;
  /** Messages to it that have not been delivered yet, oldest first. */
  readonly unheard?: readonly Said[];
  readonly retry?: Retry | null;
}

type Left = 'exit_code' | 'signal' | 'last_output' | 'result' | 'usage' | 'worktree' | 'needs' | 'api_error';

export interface Ending extends Required<Pick<DraftState, Left>>, CalledAtEnd, LastAtWork {
  readonly status: DraftOutcome;
  readonly reason: string;
  /** The messages that were delivered to it. */
  readonly heard?: readonly string[];
  readonly has_session?: boolean;
  /** Its supervisor restarts it immediately, or it is queued. Absent: it stays ended, whatever is undelivered. */
  readonly may_go_on?: 'at_once' | 'queued';
}

export const isOver = ({ status }: DraftState): boolean =>
  status !== 'queued' && status !== 'starting' && status !== 'running';

export const asDraftState = (state: Json | undefined): DraftState | undefined =>
  (state as DraftState | null | undefined) ?? undefined;

/** Every recorded drafted agent, oldest first. */
export function draftsIn(view: Pick<View, 'range'>): DraftState[] {
  return view
    .range(DRAFTS)
    .flatMap(([, state]) => asDraftState(state) ?? [])
    .sort((a, b) => a.started_wall_ms - b.started_wall_ms || (a.id < b.id ? -1 : 1));
}

/** A subagent belongs to its session, and so does a second process on that session. */
export const sessionAgent = (agent: AgentId): AgentId =>
  agent.startsWith('claude-') ? agent.replace(/[/~].*$/, '') : agent;
