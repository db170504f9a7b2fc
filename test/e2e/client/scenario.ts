import { blocksOf, resultsOf, textsOf } from './messages.ts';
import type { Message, ModelRequest, ToolResult } from './messages.ts';

/** What a scripted model sees on its turn. */
export interface Seen {
  /** The marker of the prompt that started this run of turns. */
  readonly marker: string;
  /** The number of answers given since that prompt. */
  readonly step: number;
  /** Tool results since the last answer, in order. */
  readonly results: readonly ToolResult[];
  /** Everything else since the last answer: prompts, system reminders, hook texts. */
  readonly texts: readonly string[];
  readonly request: ModelRequest;
}

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

export interface Answer {
  readonly text?: string;
  readonly tools?: readonly ToolCall[];
  /** The API fails with this error. */
  readonly fails?: { readonly status: number; readonly type: string; readonly message: string };
  /** A response that no API sends: from something between it and the client, or a truncated one. */
  readonly raw?: { readonly status: number; readonly content_type: string; readonly body: string };
}

/** One answer of the model, or a function that computes it. */
export type Turn = Answer | ((seen: Seen) => Answer | Promise<Answer>);

/**
 * The scripted model: for each marker its answers in order, or one function for all. A prompt carries its marker as
 * `[[name]]`, so a main thread, each subagent, each resumed prompt and two concurrent clients have separate scripts.
 * Requests without a marker are the client's side requests (titles, summaries).
 */
export type Scenario = Readonly<Record<string, readonly Turn[] | ((seen: Seen) => Answer | Promise<Answer>)>>;

export function say(text: string): Answer {
  return { text };
}

export function use(name: string, input: unknown): Answer {
  return { tools: [{ name, input }] };
}

/** Several calls in one answer. */
export function both(...answers: readonly Answer[]): Answer {
  return { tools: answers.flatMap((answer) => answer.tools ?? []) };
}

const MARKER = /\[\[([\w.-]+)\]\]/;

/**
 * The position of this request in its script, counted from the conversation itself, so that a repeated request gets the
 * same answer. The newest prompt with a marker counts; tool results and the assistant's texts do not.
 */
export function placeOf(request: ModelRequest): Seen | null {
  const { messages } = request;
  const prompt = messages.findLastIndex((message) => markerOf(message) !== null);
  const marked = messages[prompt];
  if (marked === undefined || (request.tools ?? []).length === 0) return null;
  const after = messages.slice(prompt + 1);
  const fresh = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  return {
    marker: markerOf(marked) ?? '',
    step: after.filter(({ role }) => role === 'assistant').length,
    results: resultsOf(fresh),
    texts: textsOf(fresh),
    request,
  };
}

function markerOf(message: Message): string | null {
  if (message.role !== 'user') return null;
  const texts = blocksOf(message).flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.map((text) => MARKER.exec(text)?.[1] ?? null).findLast((marker) => marker !== null) ?? null;
}

export function bash(command: string): Answer {
  return use('Bash', { command, description: 'Run it' });
}

/** A subagent in the foreground. */
export function delegate(marker: string, more: object = {}): Answer {
  const prompt = `[[${marker}]] Do your part.`;
  const input = { description: `Agent ${marker}`, prompt, subagent_type: 'general-purpose' };
  return use('Agent', { ...input, run_in_background: false, ...more });
}

export function read(file: string, part: { readonly offset?: number; readonly limit?: number } = {}): Answer {
  return use('Read', { file_path: file, ...part });
}

export function edit(file: string, old_string: string, new_string: string): Answer {
  return use('Edit', { file_path: file, old_string, new_string });
}

export function write(file: string, content: string): Answer {
  return use('Write', { file_path: file, content });
}
