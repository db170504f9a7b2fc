/** Where in a line the walk stands, and what belongs to the line as a whole. */
import type { ParsedScript, SyntaxNode } from 'unbash';
import type { Argument, LineStart } from './call.ts';
import type { LineEffects } from './found.ts';
import type { Budget } from './limits.ts';
import type { World } from './world.ts';

/** What commands print, while somebody wants to know it. */
export interface Printed {
  /** Null: nobody can tell. */
  text: string | null;
  /** Or names of files, some of those that match these absolute globs. */
  globs?: readonly string[];
}

export interface Here {
  readonly start: LineStart;
  readonly found: LineEffects;
  readonly budget: Budget;
  /** The text that positions count in. */
  readonly text: string;
  readonly depth: number;
  /** In how many substitutions. */
  readonly nesting: number;
  /** Within a script file. */
  readonly in_file: boolean;
  readonly stdin: Input;
  /** Null: nobody wants to know. */
  readonly printed: Printed | null;
  /** Where a function was left by `return`. */
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
  /** Null: not known, or none. */
  text(): string | null;
  /** As of what was printed. */
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

/** Null where nobody can tell. */
export function print(here: Here, text: string | null): void {
  if (here.printed === null) return;
  const before = here.printed.text;
  const isLong = before !== null && text !== null && before.length + text.length > MAX_PRINTED;
  here.printed.text = before === null || text === null || isLong ? null : before + text;
}

const MAX_PRINTED = 262_144;
