/** What each language has apart from names, numbers and marks: comments, strings, patterns, here-documents. */
import type { Language, Part, Token } from './token.ts';

export interface Lexing {
  readonly text: string;
  at: number;
  readonly tokens: Token[];
  /** Here-documents whose bodies begin on the next line. */
  readonly waiting: { readonly end: string; readonly may_indent: boolean }[];
}

/** Returns true if it has read something. */
type Rule = (state: Lexing) => boolean;

function match(state: Lexing, form: RegExp): RegExpExecArray | null {
  form.lastIndex = state.at;
  return form.exec(state.text);
}

const skip =
  (source: RegExp): Rule =>
  (state) => {
    const found = match(state, new RegExp(source, 'my'));
    if (found === null) return false;
    state.at += found[0].length;
    return found[0] !== '';
  };

type Filling = 'none' | 'python' | 'node' | 'ruby' | 'perl';

/** Where an interpolation begins in text of each kind, with the name that it inserts. */
const FILLINGS: Readonly<Record<Exclude<Filling, 'none'>, RegExp>> = {
  python: /\{\{|\}\}|\{([^{}]*)\}/g,
  node: /\$\{([^{}]*(?:\{[^}]*\}[^}]*)*)\}/g,
  ruby: /#\{([^{}]*)\}/g,
  perl: /[$@]\{?(\w+)\}?((?:->)?[[{][^\]}]*[\]}])?/g,
};

function partsOf(body: string, filling: Filling): readonly Part[] {
  if (filling === 'none') return [body];
  const parts: Part[] = [];
  let from = 0;
  for (const found of body.matchAll(FILLINGS[filling])) {
    if (body[found.index - 1] === '\\') continue;
    parts.push(unescaped(body.slice(from, found.index)));
    from = found.index + found[0].length;
    const name = found[1]?.trim();
    if (name === undefined) parts.push(found[0].charAt(0));
    else
      parts.push({
        name:
          /^[A-Za-z_]\w*$/.test(name) && found[2] === undefined
            ? filling === 'perl'
              ? `$${name}`
              : name
            : null,
      });
  }
  return [...parts, unescaped(body.slice(from))].filter((it) => it !== '');
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['\n', ''],
]);
const unescaped = (text: string): string =>
  text.replace(/\\([\s\S])/g, (_, it: string) => ESCAPES.get(it) ?? it);

function put(state: Lexing, kind: Token['kind'], end: number, parts: readonly Part[] = []): true {
  state.tokens.push({ kind, text: state.text.slice(state.at, end), parts, at: state.at });
  state.at = end;
  return true;
}

interface Quoting {
  readonly close: string;
  readonly filling: Filling;
  readonly kind: Token['kind'];
  /** A backslash is an ordinary character. */
  readonly is_raw: boolean;
}

/** Reads a quoted text of any number of lines. */
function quoted(state: Lexing, begin: number, { close, filling, kind, is_raw }: Quoting): true {
  let at = begin;
  while (at < state.text.length && !state.text.startsWith(close, at)) at += state.text[at] === '\\' ? 2 : 1;
  const body = state.text.slice(begin, at);
  const parts = filling !== 'none' ? partsOf(body, filling) : [is_raw ? body : unescaped(body)];
  return put(state, kind, Math.min(at + close.length, state.text.length), parts);
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** The end of a text delimited by `open` and its counterpart; pairs nest. */
function endOfDelimited(text: string, at: number): number {
  const open = text.charAt(at);
  const close = PAIRS[open] ?? open;
  let depth = 0;
  for (let nth = at + 1; nth < text.length; nth++) {
    const letter = text[nth];
    if (letter === '\\') nth++;
    else if (letter === close && depth-- === 0) return nth + 1;
    else if (letter === open && open !== close) depth++;
  }
  return text.length;
}

const simple =
  (quote: string, filling: Filling, kind: Token['kind'] = 'text'): Rule =>
  (state) =>
    state.text[state.at] === quote &&
    quoted(state, state.at + 1, { close: quote, filling, kind, is_raw: false });

const python: Rule = (state) => {
  const found = match(state, /([rRbBuUfFtT]{0,2})("""|'''|"|')/y);
  if (found === null) return false;
  const [all, prefix = '', close = ''] = found;
  const filling = /f/i.test(prefix) ? 'python' : 'none';
  const is_raw = /r/i.test(prefix);
  return quoted(state, state.at + all.length, { close, filling, kind: 'text', is_raw });
};

/** A template, with `${ }` that may contain templates again. */
const template: Rule = (state) => {
  if (state.text[state.at] !== '`') return false;
  let depth = 0;
  for (let at = state.at + 1; at < state.text.length; at++) {
    if (state.text[at] === '\\') at++;
    else if (state.text.startsWith('${', at)) depth++;
    else if (state.text[at] === '}' && depth > 0) depth--;
    else if (state.text[at] === '`' && depth === 0)
      return put(state, 'text', at + 1, partsOf(state.text.slice(state.at + 1, at), 'node'));
  }
  return put(state, 'text', state.text.length, [{ name: null }]);
};

/** A slash after a value divides; otherwise it begins a pattern, which names no files. */
const pattern: Rule = (state) => {
  if (state.text[state.at] !== '/' || isValue(state.tokens.at(-1))) return false;
  const found = match(state, /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y);
  return found !== null && put(state, 'text', state.at + found[0].length, [{ name: null }]);
};

function isValue(before: Token | undefined): boolean {
  if (before === undefined || before.kind === 'line') return false;
  if (before.kind === 'mark') return /^[)\]}]$/.test(before.text);
  return (
    before.kind !== 'name' ||
    !/^(?:return|typeof|case|in|of|and|or|not|if|unless|when|while|split|grep|map|join|puts|print|do|else|void|delete)$/.test(
      before.text,
    )
  );
}

const hereDocument: Rule = (state) => {
  const found = match(state, /<<([~-]?)(?:(["'`])([^"'`\n]+)\2|([A-Z_]\w*))/y);
  if (found === null || (found[1] === '' && isValue(state.tokens.at(-1)) && found[2] === undefined))
    return false;
  const end = (found[3] ?? found[4] ?? '').replace(/\W/g, '\\$&');
  state.waiting.push({ end, may_indent: found[1] !== '' });
  return put(state, 'text', state.at + found[0].length, [{ name: null }]);
};

const wordsIn = (body: string): string[] => body.split(/\s+/).filter((it) => it !== '');

const rubyPercent: Rule = (state) => {
  const found = match(state, /%([wWiIqQ]?)([([{<|!/])/y);
  if (found === null || (found[1] === '' && isValue(state.tokens.at(-1)))) return false;
  const end = endOfDelimited(state.text, state.at + found[0].length - 1);
  const body = state.text.slice(state.at + found[0].length, end - 1);
  if (/[wWiI]/.test(found[1] ?? '')) return put(state, 'list', end, wordsIn(body));
  return put(state, 'text', end, partsOf(body, found[1] === 'q' ? 'none' : 'ruby'));
};

/** q, qq, qw, qx, m, qr, s, tr, y with any delimiter. */
const perlQuote: Rule = (state) => {
  const found = match(state, /(q[qwxr]?|m|s|tr|y)(?:[ \t]*([^\w\s,;=)])|[ \t]+(?==(?![=>~])))/y);
  const [all, letter = '', open] = found ?? [];
  const before = state.tokens.at(-1);
  if (
    all === undefined ||
    open === undefined ||
    before?.text === '->' ||
    (before?.text === '{' && state.text[state.at + letter.length] === '}')
  )
    return false;
  const begin = state.at + all.length - 1;
  let end = endOfDelimited(state.text, begin);
  const body = state.text.slice(begin + 1, end - 1);
  if (letter === 'qw') return put(state, 'list', end, wordsIn(body));
  if (letter === 'q' || letter === 'qq')
    return put(state, 'text', end, partsOf(body, letter === 'q' ? 'none' : 'perl'));
  if (letter === 'qx') return put(state, 'command', end, partsOf(body, 'perl'));
  if (/^(?:s|tr|y)$/.test(letter)) end = secondPart(state.text, end, open);
  return put(state, 'text', end, [{ name: null }]);
};

function secondPart(text: string, at: number, open: string): number {
  if (PAIRS[open] === undefined) return endOfDelimited(text, at - 1);
  const next = /\s*/y;
  next.lastIndex = at;
  return endOfDelimited(text, at + (next.exec(text)?.[0].length ?? 0));
}

/** `$name`, `@name`, `%name` and `$#name` are names that include their sign. */
const perlVariable: Rule = (state) => {
  const found = match(state, /\$#?\w+|\$\^\w|\$[_&!@/\\,;.0]|@\w+|%[A-Za-z_]\w*(?=\s*[=;,)])/y);
  return found !== null && put(state, 'name', state.at + found[0].length);
};

/** `@x`, `$x`, `:x`: one name each. */
const rubyName: Rule = (state) => {
  const found = match(state, /@{1,2}\w+|\$\w+|(?<![\w:]):[A-Za-z_]\w*/y);
  return found !== null && put(state, 'name', state.at + found[0].length);
};

const SHEBANG = skip(/(?<![\s\S])#!.*/);

export const RULES: Readonly<Record<Language, readonly Rule[]>> = {
  python: [skip(/#.*/), python],
  node: [
    SHEBANG,
    skip(/\/\/.*/),
    skip(/\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/),
    simple("'", 'none'),
    simple('"', 'none'),
    template,
    pattern,
  ],
  ruby: [
    ...[
      skip(/^=begin[\s\S]*?(?:^=end.*|(?![\s\S]))/),
      skip(/^__END__\r?$[\s\S]*/),
      skip(/#.*/),
      hereDocument,
    ],
    ...[
      simple("'", 'none'),
      simple('"', 'ruby'),
      simple('`', 'ruby', 'command'),
      rubyPercent,
      pattern,
      rubyName,
    ],
  ],
  perl: [
    ...[
      skip(/^=[a-z]\w*[\s\S]*?(?:^=cut.*|(?![\s\S]))/),
      skip(/^__(?:END|DATA)__\r?$[\s\S]*/),
      perlVariable,
      skip(/#.*/),
    ],
    ...[
      hereDocument,
      simple("'", 'none'),
      simple('"', 'perl'),
      simple('`', 'perl', 'command'),
      perlQuote,
      pattern,
    ],
  ],
};
