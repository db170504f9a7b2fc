/**
 * The simple commands of a parsed shell line, wherever they stand: in lists, loops, functions, substitutions. The
 * parser keeps the parts of a word in getters that no enumeration finds, and the errors of a nested script there.
 */
import { parse } from 'unbash';

export interface Word {
  readonly value: string;
  readonly pos: number;
  readonly end: number;
}

export interface Commands {
  /** Each with its name first. */
  readonly commands: readonly (readonly Word[])[];
  /** Text that a shell will run and that is no part of this line: after `-c`, of `eval`, of a here-document, of a pipe. */
  readonly hidden: readonly string[];
  /** Paths that redirections and `tee` write to, where the line says them as they are: no variable, no glob. */
  readonly writes: readonly string[];
  /** Here-documents. `plain`: without quotes in the name, so that the shell reads backslashes and `$` in it. */
  readonly documents: readonly HereDocument[];
}

export interface HereDocument {
  readonly text: string;
  readonly plain: boolean;
}

/**
 * The parser takes 0.3 s for 360 KB of simple commands, but looks through the rest of the line at every brace and bracket
 * that nothing closes: 60 KB of `{a,` take 11 s (measured on a busy machine). So the length and the product of both are
 * bounded; the deadline of a hook is 5 s.
 */
const MAX_CHARS = 65_536;
const MAX_WORK = 30_000_000;

function isTooMuch(line: string): boolean {
  if (line.length > MAX_CHARS) return true;
  const opened = line.match(/[{[]/g)?.length ?? 0;
  return opened * line.length > MAX_WORK;
}

/** Null where the line, or a part of it, cannot be parsed, or would take too long. */
export function commandsOf(line: string): Commands | null {
  if (isTooMuch(line)) return null;
  const found: Found = { commands: [], hidden: [], writes: [], documents: [] };
  try {
    return visit(parse(line), line, found) ? found : null;
  } catch {
    // Nested too deeply to be walked.
    return null;
  }
}

interface Found {
  readonly commands: Word[][];
  readonly hidden: string[];
  readonly writes: string[];
  readonly documents: HereDocument[];
}

function visit(node: unknown, line: string, found: Found): boolean {
  if (Array.isArray(node)) return node.every((one) => visit(one, line, found));
  if (typeof node !== 'object' || node === null) return true;
  const fields = node as Readonly<Record<string, unknown>>;
  if (Array.isArray(fields['errors']) && fields['errors'].length > 0) return false;
  // Positions of a rebuilt string (nested backticks) are not positions of this line.
  if (typeof fields['source'] === 'string') return found.hidden.push(fields['source']) > 0;
  if (fields['type'] === 'Command') noteCommand(fields, found);
  if (fields['type'] === 'Pipeline') notePipeline(fields, line, found);
  found.writes.push(...listOf(fields['redirects']).flatMap(writtenBy));
  found.documents.push(...listOf(fields['redirects']).flatMap(documentOf));
  const inner = [...Object.values(fields), fields['parts'], fields['indexParts'], fields['script']];
  return [...new Set(inner)].every((one) => visit(one, line, found));
}

const SHELLS = /^(?:.*\/)?(?:ba|z|da|k|a)?sh$|^eval$/;

function noteCommand({ name, suffix, redirects }: Readonly<Record<string, unknown>>, found: Found): void {
  const words = [name, ...listOf(suffix)].filter(isWord);
  if (!isWord(name)) return;
  found.commands.push(words);
  found.writes.push(...writtenByTee(words));
  if (!words.some((word) => SHELLS.test(word.value))) return;
  const here = listOf(redirects).map((one) => (one as { content?: string }).content ?? '');
  found.hidden.push(...words.slice(1).map((word) => word.value), ...here);
}

/** `echo … | sh` runs what the others print. */
function notePipeline(
  { commands, pos, end }: Readonly<Record<string, unknown>>,
  line: string,
  found: Found,
): void {
  const names = listOf(commands).map((one) => (one as { name?: unknown }).name);
  if (!names.some((name) => isWord(name) && SHELLS.test(name.value))) return;
  found.hidden.push(line.slice(Number(pos), Number(end)));
}

function documentOf(redirect: unknown): HereDocument[] {
  const { operator, content, heredocQuoted } = redirect as Readonly<Record<string, unknown>>;
  if (operator !== '<<' && operator !== '<<-') return [];
  return [{ text: typeof content === 'string' ? content : '', plain: heredocQuoted !== true }];
}

/** `>&2` copies a descriptor. */
function writtenBy(redirect: unknown): string[] {
  const { operator, target } = redirect as { readonly operator?: unknown; readonly target?: unknown };
  if (typeof operator !== 'string' || !operator.includes('>') || !isWord(target)) return [];
  return operator === '>&' && /^(?:\d+|-)$/.test(target.value) ? [] : literal(target);
}

const BEFORE_TEE = /^(?:sudo|doas|env|command|nohup|nice)$/;

function writtenByTee(words: readonly Word[]): string[] {
  const at = words.findIndex(({ value }) => /^(?:.*\/)?tee$/.test(value));
  if (at === -1 || (at > 0 && !BEFORE_TEE.test(words[0]?.value ?? ''))) return [];
  return words
    .slice(at + 1)
    .filter(({ value }) => !value.startsWith('-'))
    .flatMap(literal);
}

/** As it is, or nothing. The home directory is as good as said. */
function literal(word: Word): string[] {
  const { parts = [] } = word as { parts?: readonly { readonly type: string; readonly text: string }[] };
  const [first, ...rest] = parts.map(({ type, text }) => (/^"?\$\{?HOME\}?"?$/.test(text) ? 'home' : type));
  const is_home = first === 'home' && /^\$\{?HOME\}?\//.test(word.value);
  const types = is_home || first === undefined ? rest : [first, ...rest];
  if (types.some((type) => !PLAIN.has(type))) return [];
  if (
    parts.some(
      ({ type, text }, nth) => !(is_home && nth === 0) && type === 'DoubleQuoted' && /[$`]/.test(text),
    )
  )
    return [];
  if (parts.length === 0 && /[*?[]/.test(word.value)) return [];
  return [is_home ? word.value.replace(/^\$\{?HOME\}?/, '~') : word.value];
}

const PLAIN = new Set(['Literal', 'SingleQuoted', 'DoubleQuoted', 'AnsiCQuoted']);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function isWord(value: unknown): value is Word {
  return typeof value === 'object' && value !== null && 'pos' in value && 'end' in value && 'value' in value;
}
