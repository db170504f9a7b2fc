/** Splits program text into tokens, so that comments and strings that only mention a call do not count as calls. */
import { type Lexing, RULES } from './lexing.ts';
import type { Language, Token } from './token.ts';

type Mark = Token & { readonly kind: 'mark' };

export const isOpening = (token: Token | undefined): token is Mark =>
  token?.kind === 'mark' && '([{'.includes(token.text);
export const isClosing = (token: Token | undefined): token is Mark =>
  token?.kind === 'mark' && ')]}'.includes(token.text);

/** A longer program takes too long to read before a command. */
const MOST_TOKENS = 40_000;

const PLAIN =
  /[ \t\r\f]+|\\\n|([A-Za-z_]\w*)|(\d[\w.]*)|(\*\*|=>|->|::|==|!=|<=|>=|=~|&&|\|\||\+=|\?\.|[\s\S])/y;

/** Null if the text is too long. */
export function codeTokens(text: string, language: Language): readonly Token[] | null {
  const state: Lexing = { text, at: 0, tokens: [], waiting: [] };
  const rules = RULES[language];
  while (state.at < text.length) {
    if (state.tokens.length > MOST_TOKENS) return null;
    if (text[state.at] === '\n') newLine(state);
    else if (!rules.some((rule) => rule(state))) plain(state);
  }
  return state.tokens;
}

function plain(state: Lexing): void {
  PLAIN.lastIndex = state.at;
  const [all = '', name, number, mark] = PLAIN.exec(state.text) ?? [];
  const { at, tokens } = state;
  state.at += Math.max(all.length, 1);
  const kind = name !== undefined ? 'name' : number !== undefined ? 'number' : 'mark';
  const text = name ?? number ?? mark;
  if (text !== undefined) tokens.push({ kind, text, parts: [], at });
}

/** Bodies of here-documents that began on the previous line are skipped: they are data. */
function newLine(state: Lexing): void {
  state.at++;
  for (const { end, may_indent } of state.waiting.splice(0)) {
    const closing = new RegExp(`^${may_indent ? '[ \\t]*' : ''}${end}[ \\t]*\\r?$`, 'gm');
    closing.lastIndex = state.at;
    const match = closing.exec(state.text);
    state.at = match === null ? state.text.length : match.index + match[0].length;
    if (state.text[state.at] === '\n') state.at++;
  }
  const indent = /[ \t]*/y;
  indent.lastIndex = state.at;
  const space = indent.exec(state.text)?.[0] ?? '';
  state.tokens.push({ kind: 'line', text: space, parts: [], at: state.at });
}
