/** The parts of a script, as far as they matter here. */
export type Language = 'python' | 'node' | 'ruby' | 'perl';

/** Part of a string: literal text, or an interpolation with the name of the variable, null for anything else. */
export type Part = string | { readonly name: string | null };

export interface Token {
  /** `line`: the start of a line; its text is the leading white space. `list`: words in one literal, `qw(a b)`. */
  readonly kind: 'name' | 'text' | 'number' | 'mark' | 'line' | 'list' | 'command';
  readonly text: string;
  readonly parts: readonly Part[];
  readonly at: number;
}
