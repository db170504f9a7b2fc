/** What a waiting caller is told about agents: how they ended, or how far they have got. Pure. */
import type { ApiError } from '../core/api-error.ts';
import type { Needs } from '../core/needs.ts';
import { type AgentResult, type DraftOutcome, type DraftState, isOver } from '../core/drafts.ts';
import type { QueuePlace } from '../core/queue-words.ts';
import type { AgentId } from '../core/types.ts';
import type { QueuedNow } from './queue-place.ts';
import { canGoOn } from '../core/resumable.ts';

interface Told {
  readonly agentId: AgentId;
  readonly role: string;
  readonly taskSlug: string;
  /** Its last words, or its report if it has made one. */
  readonly message: string;
  readonly turns: number;
  readonly cost_usd: number;
  /** guard's own estimate. Absent: the client's figure. */
  readonly cost_is_estimate?: true;
}

export interface AwaitResult extends Told {
  readonly status: DraftOutcome;
  /** Absent if the agent gave none. */
  readonly result?: AgentResult;
  /** Absent if it needs nothing. */
  readonly needs?: Needs;
  /** What to do about `needs`, or about an agent that could not be supervised, as text. */
  readonly hint?: string;
  readonly reason: string | null;
  /** Messages sent to it that it did not receive; they are delivered with the next one. Absent if there are none. */
  readonly unheard?: readonly string[];
  /** Absent if the API was not what ended it. */
  readonly api_error?: ApiError;
  readonly worktree?: NonNullable<DraftState['worktree']>;
}

export interface StillRunning extends Told {
  /** `queued`: it has not begun, and `doing` says what it is waiting for. */
  readonly status: 'running' | 'queued';
  readonly queue?: QueuePlace;
  readonly doing: string | null;
  /** What it has needed so far. Absent if nothing. */
  readonly needs?: Needs;
  readonly hint: string;
}

/** The result for several agents: `status` is the one that needs attention most. */
export interface Several {
  readonly status: DraftOutcome | StillRunning['status'];
  readonly agents: readonly (AwaitResult | StillRunning)[];
}

/** The first agent that ended, and those still running. */
export type FirstOf = (AwaitResult | StillRunning) & { readonly running: readonly AgentId[] };

/** What an answer needs besides the agents. */
export interface AwaitedAt {
  /** The directory of the role files. */
  readonly roles_dir: string;
  readonly queued: QueuedNow;
}

export function awaited(draft: DraftState, { roles_dir, queued }: AwaitedAt): AwaitResult | StillRunning {
  const { id, role, task, last_output, usage } = draft;
  const told = {
    agentId: id,
    role,
    taskSlug: task,
    message: last_output,
    turns: usage.turns,
    cost_usd: usage.cost_usd,
    ...(usage.is_estimate ? { cost_is_estimate: true as const } : {}),
  };
  if (isOver(draft)) return { ...ended(draft, roles_dir), ...told };
  const queue = queued.get(id);
  const { needs, doing = null } = draft;
  if (queue === undefined)
    return {
      ...{ status: 'running', ...told, doing },
      ...(needs == null ? {} : { needs }),
      hint: [
        `It is still running. Await ${id} again.`,
        ...(needs == null ? [] : [hintFor(needs, roleFile(draft, roles_dir))]),
      ].join(' '),
    };
  return { status: 'queued', ...told, queue, doing: queue.words, hint: hintForQueued(id, queue) };
}

function hintForQueued(id: AgentId, { is_stuck, resumable = [] }: QueuePlace): string {
  if (is_stuck !== true) return `It starts without further action. Await ${id} again.`;
  const what = resumable.length === 0 ? 'the agent that those before it wait for' : resumable.join(', ');
  return `It starts only if ${what} is resumed: guard agent send ID TEXT (message_agent). To give it up: guard agent kill ${id} (kill_agent).`;
}

function ended(draft: DraftState, roles_dir: string): Omit<AwaitResult, keyof Told> {
  const { status, reason, result, worktree, needs, api_error, unheard = [] } = draft;
  const hint = [needs == null ? '' : hintFor(needs, roleFile(draft, roles_dir)), canGoOn(draft) ? GO_ON : '']
    .filter(Boolean)
    .join(' ');
  return {
    status: status as DraftOutcome,
    ...(result === null ? {} : { result }),
    ...(needs == null ? {} : { needs }),
    ...(hint === '' ? {} : { hint }),
    reason,
    ...(unheard.length === 0 ? {} : { unheard: unheard.map(({ text }) => text) }),
    ...(api_error == null ? {} : { api_error }),
    ...(worktree === null ? {} : { worktree }),
  };
}

const roleFile = ({ role }: DraftState, roles_dir: string): string => `${roles_dir}/${role}.json`;

const GO_ON = 'guard agent send ID TEXT (message_agent) resumes its session where it stopped.';

function hintFor({ questions, denials }: Needs, role_file: string): string {
  const rules = denials.map(({ rule }) => JSON.stringify(rule)).join(', ');
  const allow = `To allow what it was refused, a person can add ${rules} to "tools" in ${role_file}.`;
  const answer =
    'It asked questions: answer with guard agent send ID TEXT (message_agent), and it continues.';
  return [denials.length > 0 ? allow : '', questions.length > 0 ? answer : ''].filter(Boolean).join(' ');
}

const OUTCOMES: readonly Several['status'][] = [
  'running',
  'queued',
  'failed',
  'timeout',
  'budget',
  'killed',
  'refused',
  'completed',
];

export function several(drafts: readonly DraftState[], at: AwaitedAt): Several {
  const agents = drafts.map((draft) => awaited(draft, at));
  const status = OUTCOMES.find((outcome) => agents.some((one) => one.status === outcome)) ?? 'completed';
  return { status, agents };
}

/** @param drafts at least one; the one that ended earliest is the first */
export function firstToEnd(drafts: readonly [DraftState, ...DraftState[]], at: AwaitedAt): FirstOf {
  const over = drafts
    .filter(isOver)
    .sort((a, b) => (a.ended_wall_ms ?? 0) - (b.ended_wall_ms ?? 0) || (a.id < b.id ? -1 : 1));
  const running = drafts.filter((draft) => !isOver(draft)).map(({ id }) => id);
  return { ...awaited(over[0] ?? drafts[0], at), running };
}
