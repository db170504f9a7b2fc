/** The values of a program's names, while it is read from top to bottom. */
import type { Argument } from '../call.ts';
import { type CodeScope, type DiskListing, eachOf, NOBODY_KNOWS, type Value } from './value.ts';
import type { Language } from './token.ts';

interface Kept {
  readonly level: number;
  readonly name: string;
  readonly value: Value | undefined;
}

/** What each language calls its arguments, and how many entries precede the first. */
const ARGUMENTS: Readonly<Record<Language, readonly [RegExp, number]>> = {
  python: [/^sys\.argv$/, 1],
  node: [/^(?:process\.argv|Bun\.argv)$/, 1],
  ruby: [/^ARGV$/, 0],
  perl: [/^[@$]ARGV$/, 0],
};

const UNKNOWN: Argument = { text: null, source: '', is_expanded: false };

export class Names implements CodeScope {
  readonly listed: DiskListing;
  readonly names = new Map<string, Value>();
  readonly #aliases = new Map<string, string>();
  readonly #kept: Kept[] = [];
  readonly #form: RegExp;
  readonly #args: readonly Argument[];
  #shifted = 0;

  constructor(language: Language, args: readonly Argument[], listed: DiskListing) {
    this.listed = listed;
    const [form, before] = ARGUMENTS[language];
    this.#form = form;
    this.#args = [...Array.from({ length: before }, () => UNKNOWN), ...args];
  }

  arguments_of = (name: string): readonly Argument[] | null => (this.#form.test(name) ? this.#args : null);

  /** Perl's and Ruby's `shift` at the top level. */
  shifted(): Value {
    const text = this.#args[this.#shifted++]?.text ?? null;
    return { texts: [text] };
  }

  alias(name: string, full: string): void {
    this.#aliases.set(name, full);
  }

  full = (name: string): string => {
    const [first = '', ...rest] = name.split('.');
    const whole = [this.#aliases.get(first) ?? first, ...rest].join('.');
    return whole.replace(/^fs\.promises\./, 'fs.').replace(/^::/, '');
  };

  /** In nested code, it may have either value. */
  assign(name: string, value: Value, is_nested: boolean): void {
    const before = this.names.get(name);
    const either = is_nested && before !== undefined && !same(before, value);
    this.names.set(name, either ? { texts: [...before.texts, ...value.texts] } : value);
  }

  /** Valid only within a function's body. */
  bind(name: string, value: Value, level: number): void {
    this.#kept.push({ level, name, value: this.names.get(name) });
    this.names.set(name, value);
  }

  /** Returns to `level`: names that were bound deeper are unbound. */
  leave(level: number): void {
    for (let last = this.#kept.at(-1); last !== undefined && last.level >= level; last = this.#kept.at(-1)) {
      this.#kept.pop();
      if (last.value === undefined) this.names.delete(last.name);
      else this.names.set(last.name, last.value);
    }
  }

  /** Binds the names of a loop in brackets, only within the brackets. */
  comprehend(names: readonly string[], over: Value, level: number): void {
    for (const name of names) this.bind(name, NOBODY_KNOWS, level);
    this.loop(names, over);
  }

  /** Binds the names of a loop, each to all its possible values. */
  loop(names: readonly string[], over: Value): void {
    const each = eachOf(over);
    const [only] = names;
    if (names.length === 1 && only !== undefined) {
      this.names.set(only, {
        texts: each.flatMap((it) => it.texts),
        ...(each[0]?.items === undefined ? {} : { items: each[0].items }),
        ...globOf(each[0]),
      });
      return;
    }
    for (const [nth, name] of names.entries())
      this.names.set(name, {
        texts: each.flatMap((it) => (it.items?.[nth] ?? NOBODY_KNOWS).texts),
        ...(each.length === 1 ? globOf(each[0]?.items?.[nth]) : {}),
      });
  }

  spread(names: readonly string[], value: Value): void {
    for (const [nth, name] of names.entries())
      if (name !== '') this.names.set(name, value.items?.[nth] ?? NOBODY_KNOWS);
  }
}

const globOf = (value: Value | undefined): Pick<Value, 'glob' | 'is_walk'> =>
  value?.glob === undefined ? {} : { glob: value.glob, ...(value.is_walk === true ? { is_walk: true } : {}) };

const same = (a: Value, b: Value): boolean => JSON.stringify(a.texts) === JSON.stringify(b.texts);
