/** The position of the walk in a line, and the state that belongs to the line as a whole. */
import type { ParsedScript, SyntaxNode } from 'unbash';
import type { Argument, LineStart } from './call.ts';
import type { LineEffects } from './found.ts';
import type { Budget } from './limits.ts';
import type { World } from './world.ts';

/** What commands print, while it is needed. */
export interface Printed {
  /** Null if it is unknown. */
  text: string | null;
  /** Set if the output consists of names of files, some of those that match these absolute globs. */
  globs?: readonly string[];
}

export interface Here {
  readonly start: LineStart;
  readonly found: LineEffects;
  readonly budget: Budget;
  /** The text to which positions refer. */
  readonly text: string;
  readonly depth: number;
  /** The number of substitutions around it. */
  readonly nesting: number;
  /** Whether it is in a script file. */
  readonly in_file: boolean;
  readonly stdin: Input;
  /** Null if the output is not needed. */
  readonly printed: Printed | null;
  /** The states in which a function was left by `return`. */
  readonly returned: World[] | null;
  readonly walk: LineWalk;
}

/** A simple command, expanded. */
export interface Words {
  /** The name first. */
  readonly words: readonly Argument[];
  readonly source: string;
}

export interface Input {
  /** Null if it is unknown or absent. */
  text(): string | null;
  /** As in `Printed`. */
  readonly globs?: readonly string[] | undefined;
  readonly is_piped: boolean;
}

export const NO_INPUT: Input = { text: () => null, is_piped: false };

export const pipedFrom = (printed: Printed | null): Input => ({
  text: () => printed?.text ?? null,
  globs: printed?.globs,
  is_piped: true,
});

/** The parts of the walk that call each other. */
export interface LineWalk {
  node(node: SyntaxNode, worlds: readonly World[], here: Here): readonly World[];
  script(script: ParsedScript, world: World, here: Here): readonly World[];
  dispatch(words: Words, world: World, here: Here): readonly World[];
}

/** @param text null if it is unknown */
export function print(here: Here, text: string | null): void {
  if (here.printed === null) return;
  const before = here.printed.text;
  const isLong = before !== null && text !== null && before.length + text.length > MAX_PRINTED;
  here.printed.text = before === null || text === null || isLong ? null : before + text;
}

const MAX_PRINTED = 262_144;
