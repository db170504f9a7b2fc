/** What transcripts say that agents did, in the words of guard's hooks: prompts, tool calls with their results, ends of turns. */
import type { Fields } from '../../claude/input.ts';

/** A session, or one of its subagents. */
export interface Teller {
  readonly session: string;
  readonly agent: string | null;
}

export interface CallResult {
  /** `toolUseResult`, the counterpart of a hook's `tool_response`. Null: a subagent's transcript has none. */
  readonly response: Fields | null;
  /** What the model was shown. */
  readonly text: string;
  readonly is_error: boolean;
}

export interface ToldCall {
  readonly id: string;
  readonly tool: string;
  /** Empty where guard's rules have nothing to do with the tool. */
  readonly input: Fields;
  readonly cwd: string;
  /** Undefined while it has not ended, or where the transcript ends before it. */
  result?: CallResult;
}

interface Moment {
  readonly at_ms: number;
  readonly by: Teller;
  readonly cwd: string;
  /** Of the line: a forked session repeats the lines of the one it came from. */
  readonly uuid: string;
}

export type Happening = Moment &
  (
    | { readonly type: 'prompt' }
    /** The agent said its last word, or a person stopped it. */
    | { readonly type: 'rest' }
    | { readonly type: 'begin' | 'end'; readonly call: ToldCall }
    /** Every call of one answer is over. */
    | { readonly type: 'batch' }
  );
