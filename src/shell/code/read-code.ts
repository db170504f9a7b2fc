// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Scans text in a programming language for literal writes. */
import type { Argument, Call, Reading, Run } from '../call.ts';
import { NOTHING, unresolved } from '../writers/reading.ts';
import { CodeEffects } from './found-in-code.ts';
import { listedIn } from './listed-files.ts';
import { Names } from './names.ts';
import { codeTokens } from './tokens.ts';
import { walkThrough } from './walk.ts';
import type { DiskListing } from './value.ts';
import { GRAMMARS, type Passings } from './walk-state.ts';

/** Other notations for `Dir.glob` and `glob`: `Dir['*.c']`, `<*.c>`. */
const GLOBS: Readonly<Partial<Record<Code['language'], readonly [RegExp, string]>>> = {
  ruby: [/\bDir\[([^[\]]*)\]/g, 'Dir.glob($1)'],
  perl: [/(?<![\w$)\]<])<([\w./*?-]*[*?][\w./*?-]*)>/g, "glob('$1')"],
};

export type Code = Extract<Run, { kind: 'code' }>;

/**
 * `call`: the command that runs the code; relative paths begin in its directory. Found writes may never run, and a
 * write whose path is not literal is unresolved; code that only mentions a call does not count.
 */
export function readCode(given: Code, call: Call): Reading {
  if (!given.text.trim()) return NOTHING;
  const [form, call_of_it] = GLOBS[given.language] ?? [];
  const code = form === undefined ? given : { ...given, text: given.text.replaceAll(form, call_of_it ?? '') };
  const tokens = codeTokens(code.text, code.language);
  if (tokens === null) return unresolved(call, 'limit');
  const passings: Passings = new Map();
  // The first pass finds what the program passes to its own functions, the second what it writes.
  const listed = listedIn(call, code.text);
  walkOnce(code, tokens, new CodeEffects(call, code.text, passings, true), { passings, listed });
  const found = new CodeEffects(call, code.text, passings, false);
  walkOnce(code, tokens, found, { passings, listed });
  return found.reading();
}

function walkOnce(
  code: Code,
  tokens: NonNullable<ReturnType<typeof codeTokens>>,
  found: CodeEffects,
  { passings, listed }: { readonly passings: Passings; readonly listed: DiskListing },
): void {
  const { language } = code;
  const args: readonly Argument[] = code.args;
  const names = new Names(language, args, listed);
  const walk = {
    tokens,
    language,
    names,
    grammar: GRAMMARS[language],
    passings,
    loops: new Map(),
    open: [],
    indent: 0,
    last_each: null,
  };
  walkThrough(walk, found.visit);
  found.end(walk);
}
