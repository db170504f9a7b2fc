/**
 * Drafted agents: clients that guard started itself, for somebody. State of `draft:<AgentId>`; whatever a later
 * process wants to know of such an agent is here, or in its log file.
 */
import type { ApiError, Retry } from './api-error.ts';
import type { InQueue } from './in-queue.ts';
import type { Json, Key, View } from './ledger.ts';
import type { Needs } from './needs.ts';
import type { Said } from './said.ts';
import type { AgentId, ProcessMark } from './types.ts';

export const DRAFTS = 'draft:';
export const draftKey = (agent: AgentId): Key => `${DRAFTS}${agent}`;

/** How it ended: by itself, wrongly, by somebody's word, out of time, over its budget; `refused`: queued, and never started. */
export type DraftOutcome = 'completed' | 'failed' | 'killed' | 'timeout' | 'budget' | 'refused';
type DraftStatus = 'queued' | 'starting' | 'running' | DraftOutcome;

/** How deep agents may draft agents, and how many may run at once in one repository. */
export interface Bounds {
  readonly depth: number;
  readonly running: number;
}

/** What the harness tools let it do: all six, or only look. */
export type Access = 'full' | 'readonly';

/** Null: no limit. Of the tree: this agent and all that were drafted below it; only a root's count. */
export interface AgentLimits {
  readonly turns: number | null;
  readonly wall_ms: number;
  readonly cost_usd: number | null;
  /** No event of the client for so long. */
  readonly stall_ms: number;
  /** The same tool call so many times in a row. */
  readonly repeats: number;
  readonly tree_turns: number | null;
  readonly tree_cost_usd: number | null;
  /** After an API that failed but may work later. Absent: never. */
  readonly retries?: number;
  readonly retry_after_ms?: number;
}

export interface Usage {
  readonly turns: number;
  /** In US dollars. */
  readonly cost_usd: number;
  /** Of what the client has not said yet, guard's own guess from the tokens. Absent: it is as the client said. */
  readonly is_estimate?: true;
  /** Calls by tool. */
  readonly tools: Readonly<Record<string, number>>;
}

export const NO_USAGE: Usage = { turns: 0, cost_usd: 0, tools: {} };

/** What the agent says of its work in its last message. */
export interface AgentResult {
  readonly summary: string;
  readonly changes: readonly string[];
  readonly issues: readonly string[];
  readonly questions: readonly string[];
}

/** A checkout of the agent's own, and what it changed there. */
export interface WorktreeState {
  readonly dir: string;
  readonly branch: string;
  readonly base: string;
  /** Files that differ from `base`, committed or not; null until the agent has ended. */
  readonly changed: readonly string[] | null;
  readonly commits: number;
  /** False: nothing was changed in it, or it was merged or discarded, so it was removed. */
  readonly kept: boolean;
  /** What it was made without, and why. */
  readonly notes?: readonly string[];
  /** Before the agent's own time began. */
  readonly setup_ms?: number;
  /** It is being made, and its setup may run: nothing in it is the agent's work. */
  readonly is_unfinished?: true;
  readonly settled?: WorktreeSettled;
}

/** What became of it after the agent's end. */
export interface WorktreeSettled {
  readonly how: 'merged' | 'discarded' | 'pruned' | 'gone';
  readonly by: AgentId;
  /** Merged, pruned: what has it. Discarded: what it was at its end, until git forgets it. Gone, by nobody's word to guard: what it began with. */
  readonly commit: string;
  /** The checkout it was merged into. */
  readonly into?: string;
}

export interface DraftState extends InQueue {
  readonly id: AgentId;
  /** What people call it. */
  readonly name?: string;
  readonly session: string;
  readonly role: string;
  readonly category: string;
  readonly access: Access;
  readonly task: string;
  readonly drafted_by: AgentId;
  /** The drafted agent above it; null for one that a person, or a session of a person, drafted. */
  readonly parent: AgentId | null;
  readonly root: AgentId;
  /** 1 for a root. */
  readonly depth: number;
  readonly status: DraftStatus;
  readonly limits: AgentLimits;
  /** What its own drafts may not exceed, whatever they say of the configuration. */
  readonly bounds?: Bounds;
  readonly usage: Usage;
  /** When its client last said something that counts. */
  readonly heard_wall_ms?: number;
  /** The process that looks after it: the drafter's until the supervisor has begun. */
  readonly supervisor: ProcessMark | null;
  readonly client: ProcessMark | null;
  readonly started_wall_ms: number;
  /** Of the boot of `supervisor`; time in which the machine sleeps is not an agent's. */
  readonly started_mono_ms?: number;
  readonly ended_wall_ms: number | null;
  readonly kill: { readonly by: AgentId; readonly reason: string } | null;
  /** Why it ended as it did, for people. */
  readonly reason: string | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly last_output: string;
  readonly result: AgentResult | null;
  readonly worktree: WorktreeState | null;
  readonly needs?: Needs | null;
  readonly api_error?: ApiError | null;
  /** Which run of its session this is; absent: the first. */
  readonly dispatch?: number;
  /** When this run began, and how long those before it took. Absent: there was none. */
  readonly begun_wall_ms?: number;
  readonly ran_ms?: number;
  /** Its client has made the session, so it can be taken up again. */
  readonly has_session?: true;
  /** What was said to it and not heard yet, oldest first. */
  readonly unheard?: readonly Said[];
  readonly retry?: Retry | null;
}

type Left = 'exit_code' | 'signal' | 'last_output' | 'result' | 'usage' | 'worktree' | 'needs' | 'api_error';

export interface Ending extends Required<Pick<DraftState, Left>> {
  readonly status: DraftOutcome;
  readonly reason: string;
  /** Of what was said to it. */
  readonly heard?: readonly string[];
  readonly has_session?: boolean;
  /** Who looks after it starts it again at once; or it is queued for that. Absent: it is over whatever it has not heard. */
  readonly may_go_on?: 'at_once' | 'queued';
}

export const isOver = ({ status }: DraftState): boolean =>
  status !== 'queued' && status !== 'starting' && status !== 'running';

export const asDraftState = (state: Json | undefined): DraftState | undefined =>
  (state as DraftState | null | undefined) ?? undefined;

/** Every drafted agent that is on record, oldest first. */
export function draftsIn(view: Pick<View, 'range'>): DraftState[] {
  return view
    .range(DRAFTS)
    .flatMap(([, state]) => asDraftState(state) ?? [])
    .sort((a, b) => a.started_wall_ms - b.started_wall_ms || (a.id < b.id ? -1 : 1));
}

/** The agent and everything that was drafted below it, parents first. */
export function treeBelow(all: readonly DraftState[], id: AgentId): DraftState[] {
  const own = all.filter((draft) => draft.id === id);
  const below = all.filter(({ parent }) => parent === id).flatMap((child) => treeBelow(all, child.id));
  return [...own, ...below];
}

/** A subagent works for the session it is part of; so does a second process on that session. */
export const sessionAgent = (agent: AgentId): AgentId =>
  agent.startsWith('claude-') ? agent.replace(/[/~].*$/, '') : agent;
