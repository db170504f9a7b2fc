/** What agents did according to transcripts, in the terms of guard's hooks: prompts, tool calls with their results, ends of turns. */
import type { Fields } from '../../claude/input.ts';

/** A session, or one of its subagents. */
export interface Teller {
  readonly session: string;
  readonly agent: string | null;
}

export interface CallResult {
  /** `toolUseResult`, the counterpart of a hook's `tool_response`. Null: a subagent's transcript has none. */
  readonly response: Fields | null;
  /** The text that the model was shown. */
  readonly text: string;
  readonly is_error: boolean;
}

export interface ToldCall {
  readonly id: string;
  readonly tool: string;
  /** Empty if guard's rules do not concern the tool. */
  readonly input: Fields;
  readonly cwd: string;
  /** Undefined until it has ended, or if the transcript ends before it. */
  result?: CallResult;
}

interface Moment {
  readonly at_ms: number;
  readonly by: Teller;
  readonly cwd: string;
  /** The uuid of the line: a forked session repeats the lines of its original. */
  readonly uuid: string;
}

export type Happening = Moment &
  (
    | { readonly type: 'prompt' }
    /** The agent finished its answer, or a person stopped it. */
    | { readonly type: 'rest' }
    | { readonly type: 'begin' | 'end'; readonly call: ToldCall }
    /** Every call of one answer has ended. */
    | { readonly type: 'batch' }
  );
