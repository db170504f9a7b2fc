/**
 * How much of a command line is read.
 *
 * The parser takes 0.3 s for 360 KB of simple commands, but for every unclosed brace and bracket it searches the rest of
 * the line: 60 KB of `{a,` take 11 s (measured on a busy machine). So the length, and the product of both, are bounded;
 * the deadline of a hook is 5 s.
 */
const MAX_CHARS = 65_536;
const MAX_WORK = 30_000_000;

const countOf = (line: string, char: string): number => line.split(char).length - 1;
const workOf = (line: string): number => (countOf(line, '{') + countOf(line, '[')) * line.length;

export const isTooMuch = (line: string): boolean => line.length > MAX_CHARS || workOf(line) > MAX_WORK;

export const LIMITS = {
  /** A line within a line: `bash -c`, `eval`, a script, a function. */
  depth: 8,
  /** A substitution within a substitution: for each, the parser searches the text again. */
  nesting: 24,
  /** Simple commands, counting each iteration of a loop. */
  commands: 2_048,
  targets: 512,
  /** Files from a glob, braces or `find`. Higher than the limit on writes, so that reading many files is no reason to give up. */
  names: 2_048,
  /** Questions to the disk. */
  looks: 8_192,
  /** Words that grow in loops, patterns with many stars, nested braces: 10 million steps take half a second. */
  effort: 10_000_000,
  /** The length of a value whose parts are compared with a pattern. */
  pattern_chars: 1_024,
  /** The size of a file that is read as a script or as input. */
  file_bytes: 65_536,
  /** The number of states of the shell that may follow a branch. */
  worlds: 4,
} as const;

/** What is left of these limits for one line and everything in it. */
export interface Budget {
  chars: number;
  work: number;
  commands: number;
  looks: number;
  /** Characters written, compared or searched to build words. */
  effort: number;
}

export const newBudget = (): Budget => ({
  chars: 4 * MAX_CHARS,
  work: MAX_WORK,
  commands: LIMITS.commands,
  looks: LIMITS.looks,
  effort: LIMITS.effort,
});

/** False if there is not enough left. */
export function spend(budget: Budget, effort: number): boolean {
  budget.effort -= effort;
  return budget.effort >= 0;
}

/** Whether a text may still be parsed; counts it if so. */
export function mayParse(text: string, budget: Budget): boolean {
  if (isTooMuch(text)) return false;
  budget.chars -= text.length;
  budget.work -= workOf(text);
  return budget.chars >= 0 && budget.work >= 0;
}
