/** The state of a run, as far as its client has reported it. */
import type { ApiError } from '../core/api-error.ts';
import { type AgentResult, NO_USAGE, type Usage } from '../core/drafts.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { ApiRetry } from './api-trouble.ts';
import { NOTHING_SPENT, type Spending } from './spending.ts';

export interface Progress {
  readonly session: string | null;
  /** The client's working directory. */
  readonly cwd: string;
  readonly usage: Usage;
  readonly spending: Spending;
  /** Id of the newest assistant message: its blocks arrive as separate events, but are one turn. */
  readonly message: string | null;
  /** Tool calls that have not been answered yet, by id. */
  readonly open: Readonly<Record<string, UnansweredCall>>;
  /** The newest call, and how often it was made in a row. */
  readonly call: string;
  readonly repeats: number;
  /** Calls refused because no one was there to allow them, by id, with the rules they would have needed. */
  readonly refused: Readonly<Record<string, readonly NeededRule[]>>;
  /** Calls that hooks refused for reasons of their own. */
  readonly by_hooks: readonly string[];
  /** Questions it asked with a tool that no one answers here. */
  readonly asked: readonly string[];
  /** The newest text of the agent itself. */
  readonly text: string;
  /** From the newest message that has one. */
  readonly report: Report | null;
  /** The report from before it received the newest message, which it therefore does not answer. */
  readonly earlier: Report | null;
  /** Ids of the messages it has received. */
  readonly heard: readonly string[];
  /** It is waiting for the API; `null` once that has answered. */
  readonly retry: ApiRetry | null;
  /** Kinds of what runs in the background. */
  readonly background: readonly string[];
  readonly final: Final | null;
  /** The client has sent its result, and nothing since. */
  readonly is_idle: boolean;
  /** One of its turns ended well, with a report. */
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

/** The client's own result. */
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
