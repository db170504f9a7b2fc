/** The context document of a task, made from its own file and its history of dispatches. Pure. */
import type { DraftState } from '../core/drafts.ts';

export interface Task {
  readonly slug: string;
  /** RFC 3339. */
  readonly created: string;
  readonly description: string;
}

/** One agent's work on a task; `status` is null while it runs. */
export interface Dispatch extends Pick<
  DraftState,
  'role' | 'drafted_by' | 'reason' | 'result' | 'last_output'
> {
  readonly agent: string;
  readonly prompt: string;
  readonly started: string;
  readonly ended: string | null;
  readonly status: string | null;
  readonly changed: readonly string[] | null;
  readonly needs?: DraftState['needs'];
  /** Which run of the agent's session this is. Absent: the first. */
  readonly nth?: number;
}

/** The first run of an agent's session carries the agent's own name. */
export const runName = ({ agent, nth = 1 }: Pick<Dispatch, 'agent' | 'nth'>): string =>
  nth === 1 ? agent : `${agent}.${nth}`;

const PROMPT_CHARS = 2_000;

export function taskContext(task: Task, dispatches: readonly Dispatch[]): string {
  const head = [`# Task: ${task.slug}`, '', `Created: ${task.created}`, '', task.description.trim(), ''];
  if (dispatches.length === 0) return [...head, 'No agent has worked on it yet.', ''].join('\n');
  const parts = dispatches.flatMap((dispatch, at) => dispatchLines(dispatch, at + 1));
  return [...head, '## History', '', ...parts].join('\n');
}

function dispatchLines(it: Dispatch, nth: number): string[] {
  const until = it.ended === null ? 'running' : `${it.status ?? 'over'}, ${it.ended}`;
  return [
    `### ${nth}. ${it.role} (${it.agent})`,
    '',
    `Started ${it.started} by ${it.drafted_by}; ${until}.`,
    ...(it.reason === null || it.status === 'completed' ? [] : [`Reason: ${it.reason}.`]),
    '',
    'Asked:',
    '',
    quoted(it.prompt.slice(0, PROMPT_CHARS)),
    '',
    ...outcomeLines(it),
  ];
}

function outcomeLines({ result, last_output, changed, needs }: Dispatch): string[] {
  const rest = [
    ...listOf('Questions', needs?.questions ?? result?.questions ?? []),
    ...listOf(
      'Not allowed',
      (needs?.denials ?? []).map(({ rule, count }) => `${rule} (${count})`),
    ),
    ...listOf('Files changed in its worktree', changed ?? []),
  ];
  if (result === null)
    return [...(last_output === '' ? [] : ['Last said:', '', quoted(last_output), '']), ...rest];
  return [
    `Summary: ${result.summary}`,
    '',
    ...listOf('Changes', result.changes),
    ...listOf('Issues', result.issues),
    ...rest,
  ];
}

const listOf = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `- ${item.replaceAll('\n', '\n  ')}`), ''];

const quoted = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** What an agent is asked: its own prompt, followed by the task's history if there is any. */
export function promptWith(context: string | null, prompt: string): string {
  if (context === null) return prompt;
  return `${prompt}\n\nWhat is known about this task so far:\n\n<task-context>\n${context.trim()}\n</task-context>`;
}

/** The prompt for one agent that is to carry out a plan. */
export const planPrompt = (plan: string): string =>
  `Carry out the plan below from its beginning to its end. If your tools allow it, draft agents for its parts and wait for them; use what each of them answers for the next step. Stop only when the plan is done or cannot be completed.\n\n<plan>\n${plan.trim()}\n</plan>`;
