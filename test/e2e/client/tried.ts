/** An agent that tries command lines, and runs the narrower one if a refusal names it. */
import { denialOf, isDenied } from './denial.ts';
import type { ToolResult } from './messages.ts';
import { type Answer, bash, say, type Seen } from './scenario.ts';

/** The results of a line, and of the narrower one that its refusal named. */
export interface Outcome {
  /** The error types; for a call that was not refused, the text of its result. */
  readonly said: readonly string[];
  readonly is_error: readonly boolean[];
  /** Everything the model was given with these results. */
  readonly heard: string;
}

export interface Trial {
  /** The turn for a scenario. Says `Done.` at the end. */
  readonly turn: (seen: Seen) => Answer;
  of(line: string): Outcome;
}

const NARROWER = /^git (?:stash|restore|add|commit|checkout)\b/;

/** `steps`: command lines, or complete answers. */
export function tried(steps: readonly (string | Answer)[]): Trial {
  const seen = new Map<string | Answer, Seen[]>();
  const given: { readonly of: string | Answer; readonly answer: Answer }[] = [];
  const next = (before: Seen): Answer => {
    const last = given.at(-1);
    if (last !== undefined) {
      const sofar = [...(seen.get(last.of) ?? []), before];
      seen.set(last.of, sofar);
      const narrow = sofar.length === 1 ? narrowerOf(before.results[0]) : undefined;
      if (narrow !== undefined) return give(last.of, bash(narrow));
    }
    const step = steps[seen.size];
    if (step === undefined) return say('Done.');
    return give(step, typeof step === 'string' ? bash(step) : step);
  };
  const give = (of: string | Answer, answer: Answer): Answer => {
    given.push({ of, answer });
    return answer;
  };
  return {
    // The client may send the same request twice.
    turn: (now) => given[now.step]?.answer ?? next(now),
    of: (line) => outcomeOf(seen.get(line) ?? []),
  };
}

function narrowerOf(result: ToolResult | undefined): string | undefined {
  return isDenied(result) ? denialOf(result).details.next?.find((text) => NARROWER.test(text)) : undefined;
}

function outcomeOf(seen: readonly Seen[]): Outcome {
  const results = seen.flatMap((one) => one.results);
  return {
    said: results.map((result) => (isDenied(result) ? denialOf(result).error_type : result.text)),
    is_error: results.map(({ is_error }) => is_error),
    heard: JSON.stringify(seen.map((one) => [one.results, one.texts])),
  };
}
