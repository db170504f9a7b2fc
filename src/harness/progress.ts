/** What is known of a run from what its client has said so far. */
import type { ApiError } from '../core/api-error.ts';
import { type AgentResult, NO_USAGE, type Usage } from '../core/drafts.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { ApiRetry } from './api-trouble.ts';
import { NOTHING_SPENT, type Spending } from './spending.ts';

export interface Progress {
  readonly session: string | null;
  /** Where its client works. */
  readonly cwd: string;
  readonly usage: Usage;
  readonly spending: Spending;
  /** Ids of the newest assistant message: its blocks arrive as events of their own, and are one turn. */
  readonly message: string | null;
  /** Tool calls that were made and not answered yet, by id. */
  readonly open: Readonly<Record<string, UnansweredCall>>;
  /** The newest call, and how often in a row it was made. */
  readonly call: string;
  readonly repeats: number;
  /** Calls that nobody was there to allow, by id: the rules they would have needed. */
  readonly refused: Readonly<Record<string, readonly NeededRule[]>>;
  /** Calls that hooks refused, for reasons of their own. */
  readonly by_hooks: readonly string[];
  /** What it asked by a tool that nobody answers. */
  readonly asked: readonly string[];
  /** The newest text of the agent itself. */
  readonly text: string;
  /** Of the newest message that has one. */
  readonly report: Report | null;
  /** The one before the newest message was heard: it answers nothing of that. */
  readonly earlier: Report | null;
  /** What was said to it, by its ids. */
  readonly heard: readonly string[];
  /** It waits for the API; null once that has answered. */
  readonly retry: ApiRetry | null;
  /** Kinds of what runs in the background. */
  readonly background: readonly string[];
  readonly final: Final | null;
  /** The client has said its last word, and nothing came after it. */
  readonly is_idle: boolean;
  /** A turn of it ended well, and it had reported. */
  readonly is_done: boolean;
}

interface Report {
  readonly text: string;
  readonly result: AgentResult;
}

type NeededRule = readonly [tool: string, rule: string];

interface UnansweredCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** The client's own last word. */
export interface Final {
  readonly is_error: boolean;
  readonly subtype: string;
  readonly text: string;
  readonly api_error: ApiError | null;
}

export const NOTHING_YET: Progress = {
  session: null,
  cwd: '',
  usage: NO_USAGE,
  spending: NOTHING_SPENT,
  message: null,
  open: {},
  call: '',
  repeats: 0,
  refused: {},
  by_hooks: [],
  asked: [],
  text: '',
  report: null,
  earlier: null,
  heard: [],
  retry: null,
  background: [],
  final: null,
  is_idle: false,
  is_done: false,
};
