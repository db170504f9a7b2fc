/**
 * Files that are written out in a line: `cat > a.ts <<'EOF'`. A body of 200 KB is common, and its braces would take the parser
 * seconds. It is data, so a mark replaces it while the rest of the line is read.
 *
 * A body is found by its form, but accepted only if the parser finds the mark to be the whole body of a here-document. Text in
 * quotes, in a comment or after a continued line is not one, and is left unchanged.
 */
import { forEachChild } from './unbash.ts';
import type { ParsedScript, SyntaxNode } from 'unbash';

/** The replacement for a body. A text that already contains it is not shortened, because it would be mistaken for a body. */
const MARK = 'guard: a long here-document';

/** Shorter ones are read: they may be code. */
const SHORT_CHARS = 4_096;

const OPERATOR = /(?<!<)<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n$`\\]+)"|(\\?)([\w.-]+))/g;

/** In an unquoted document, the shell would run these. */
const RUNS = /`|\$\(/;

/** `taken`: the number of bodies. Null if none can be taken out. */
export function withoutBodies(text: string): { readonly text: string; readonly taken: number } | null {
  if (text.includes(MARK)) return null;
  const parts: string[] = [];
  let from = 0;
  const operator = new RegExp(OPERATOR);
  for (let found = operator.exec(text); found !== null; found = operator.exec(text)) {
    const [, dash, single, double, backslash, bare] = found;
    const begin = text.indexOf('\n', operator.lastIndex) + 1;
    const end = begin === 0 ? -1 : endOf(text, begin, single ?? double ?? bare ?? '', dash === '-');
    // The shell then reads up to the end, too; and each text is searched only once.
    if (end === -1) break;
    operator.lastIndex = end;
    const is_data = bare === undefined || backslash === '\\' || !RUNS.test(text.slice(begin, end));
    if (end - begin <= SHORT_CHARS || !is_data) continue;
    parts.push(text.slice(from, begin), `${MARK}\n`);
    from = end;
  }
  return parts.length === 0 ? null : { text: [...parts, text.slice(from)].join(''), taken: parts.length / 2 };
}

/** The position of the line with the delimiter; -1 if there is none. */
function endOf(text: string, begin: number, delimiter: string, has_dash: boolean): number {
  for (let start = begin; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const at = end - delimiter.length;
    const is_it = at >= start && text.startsWith(delimiter, at);
    if (is_it && (at === start || (has_dash && isTabs(text, start, at)))) return start;
    start = end + 1;
  }
  return -1;
}

function isTabs(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text[at] !== '\t') return false;
  return true;
}

export const isTakenOut = (body: string): boolean => body === `${MARK}\n` || body === MARK;

/** The number of here-documents whose whole body is the mark. */
export function takenOutOf(script: ParsedScript): number {
  let count = 0;
  const look = (node: SyntaxNode): void => {
    if (node.type === 'HereDoc' && isTakenOut(node.body.text)) count++;
    forEachChild(node, look);
  };
  look(script);
  return count;
}
