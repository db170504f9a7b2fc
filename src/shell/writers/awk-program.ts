/** Parses an awk program far enough to distinguish `print > "file"` from `$1 > 5`. */

export interface AwkEffects {
  readonly writes: readonly string[];
  readonly appends: readonly string[];
  readonly lines: readonly string[];
  /** Whether it writes to a name that is known only at run time. */
  readonly unknown: boolean;
}

type Token = readonly ['string' | 'name' | 'mark' | 'end', string];

const TOKEN =
  /"((?:[^"\\\n]|\\.)*)"|(#[^\n]*|\\\n|[ \t\r]+)|([A-Za-z_]\w*)|([\n;}])|(>>|[=!<>]=|&&|\|\||[\d.]+|[\s\S])/gy;

export function awkEffects(program: string, variables: ReadonlyMap<string, string>): AwkEffects {
  const tokens = tokensOf(program);
  const found = { writes: [] as string[], appends: [] as string[], lines: [] as string[], unknown: false };
  let [prints, depth] = [false, 0];
  for (const [at, [kind, text]] of tokens.entries()) {
    if (kind === 'end') [prints, depth] = [false, 0];
    else if (kind === 'name' && (text === 'print' || text === 'printf')) [prints, depth] = [true, 0];
    else if (kind === 'mark' && '([{'.includes(text)) depth++;
    else if (kind === 'mark' && ')]'.includes(text)) depth--;
    else if (prints && depth === 0 && (text === '>' || text === '>>') && kind === 'mark') {
      const name = nameAt(tokens, at + 1, variables);
      if (name === null) found.unknown = true;
      else (text === '>' ? found.writes : found.appends).push(name);
    } else if (prints && depth === 0 && kind === 'mark' && text === '|') {
      const line = nameAt(tokens, at + 1, variables);
      if (line === null) found.unknown = true;
      else found.lines.push(line);
    } else if (kind === 'name' && text === 'system' && tokens[at + 1]?.[1] === '(') {
      const line = nameAt(tokens, at + 2, variables);
      if (line === null) found.unknown = true;
      else found.lines.push(line);
    }
  }
  return found;
}

/** Adjacent strings and known variables, to the end of the statement; null if it contains anything else. */
function nameAt(
  tokens: readonly Token[],
  start: number,
  variables: ReadonlyMap<string, string>,
): string | null {
  let name = '';
  for (let at = start; at < tokens.length; at++) {
    const [kind, text] = tokens[at] ?? ['end', ''];
    const part = kind === 'string' ? text : kind === 'name' ? variables.get(text) : undefined;
    if (kind === 'end' || text === ')') break;
    if (kind === 'mark' && text === '(') continue;
    if (part === undefined) return null;
    name += part;
  }
  return name === '' ? null : name;
}

function tokensOf(program: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(program); match !== null; match = TOKEN.exec(program)) {
    const [all, string, space, name, end] = match;
    if (string !== undefined) tokens.push(['string', unescaped(string)]);
    else if (name !== undefined) tokens.push(['name', name]);
    else if (end !== undefined) tokens.push(['end', end]);
    else if (space === undefined && all === '/' && beginsPattern(tokens.at(-1))) {
      TOKEN.lastIndex = endOfPattern(program, TOKEN.lastIndex);
      tokens.push(['mark', '/']);
    } else if (space === undefined) tokens.push(['mark', all]);
  }
  return tokens;
}

/** A slash after a value divides. */
function beginsPattern(before: Token | undefined): boolean {
  if (before === undefined) return true;
  const [kind, text] = before;
  if (kind === 'end') return true;
  return kind === 'mark' ? !/^[)\]\d.$]/.test(text) : kind === 'name' && /^(?:print|return|in)$/.test(text);
}

function endOfPattern(program: string, start: number): number {
  for (let at = start; at < program.length; at++) {
    if (program[at] === '\\') at++;
    else if (program[at] === '/' || program[at] === '\n') return at + 1;
  }
  return program.length;
}

const unescaped = (text: string): string => text.replace(/\\(["\\/])/g, '$1');
