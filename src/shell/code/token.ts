/** What a script is made of, as far as anybody asks. */
export type Language = 'python' | 'node' | 'ruby' | 'perl';

/** Of a string: literal text, or what is put in: the name of a variable, null for anything else. */
export type Part = string | { readonly name: string | null };

export interface Token {
  /** `line`: a line begins; its text is the white space before it. `list`: words in one literal, `qw(a b)`. */
  readonly kind: 'name' | 'text' | 'number' | 'mark' | 'line' | 'list' | 'command';
  readonly text: string;
  readonly parts: readonly Part[];
  readonly at: number;
}
