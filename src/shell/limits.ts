/**
 * How much of a command line is read.
 *
 * The parser takes 0.3 s for 360 KB of simple commands, but looks through the rest of the line at every brace and bracket
 * that nothing closes: 60 KB of `{a,` take 11 s (measured on a busy machine). So the length and the product of both are
 * bounded; the deadline of a hook is 5 s.
 */
const MAX_CHARS = 65_536;
const MAX_WORK = 30_000_000;

const countOf = (line: string, char: string): number => line.split(char).length - 1;
const workOf = (line: string): number => (countOf(line, '{') + countOf(line, '[')) * line.length;

export const isTooMuch = (line: string): boolean => line.length > MAX_CHARS || workOf(line) > MAX_WORK;

export const LIMITS = {
  /** A line within a line: `bash -c`, `eval`, a script, a function. */
  depth: 8,
  /** A substitution in a substitution: the parser looks through the text again for each. */
  nesting: 24,
  /** Simple commands, each turn of a loop counted. */
  commands: 2_048,
  targets: 512,
  /** Files that a glob, braces or `find` stand for. Above what may be written, so that reading many is no reason to give up. */
  names: 2_048,
  /** What is asked of the disk. */
  looks: 8_192,
  /** Words that grow in loops, patterns of many stars, braces in braces: 10 million steps take half a second. */
  effort: 10_000_000,
  /** Of a value whose parts are compared with a pattern. */
  pattern_chars: 1_024,
  /** Of a file that is read as a script, or as input. */
  file_bytes: 65_536,
  /** States of the shell that may follow a branch. */
  worlds: 4,
} as const;

/** What is left of all that, for one line and everything that it holds. */
export interface Budget {
  chars: number;
  work: number;
  commands: number;
  looks: number;
  /** Characters written, compared or looked through for words. */
  effort: number;
}

export const newBudget = (): Budget => ({
  chars: 4 * MAX_CHARS,
  work: MAX_WORK,
  commands: LIMITS.commands,
  looks: LIMITS.looks,
  effort: LIMITS.effort,
});

/** False: there is not as much left. */
export function spend(budget: Budget, effort: number): boolean {
  budget.effort -= effort;
  return budget.effort >= 0;
}

/** Whether a text may still be parsed; counts it. */
export function mayParse(text: string, budget: Budget): boolean {
  if (isTooMuch(text)) return false;
  budget.chars -= text.length;
  budget.work -= workOf(text);
  return budget.chars >= 0 && budget.work >= 0;
}
