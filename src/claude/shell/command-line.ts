// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * The simple commands of a parsed shell line, wherever they occur: in lists, loops, functions, substitutions. A nested
 * script reports its own errors.
 */
import { isTooMuch } from '../../shell/limits.ts';
import { forEachChild, parse } from '../../shell/read-line.ts';
import type {
  Command,
  CommandArgument,
  HereDoc,
  Pipeline,
  Redirect,
  Redirection,
  SyntaxNode,
  Word as ParsedWord,
} from 'unbash';

export interface LineWord {
  readonly value: string;
  readonly pos: number;
  readonly end: number;
}

export interface Commands {
  /** Each with its name first. */
  readonly commands: readonly (readonly LineWord[])[];
  /** Text that a shell will run but that is not part of this line: after `-c`, in `eval`, a here-document, a pipe. */
  readonly hidden: readonly string[];
  /** Paths that redirections and `tee` write to, if the line gives them literally: no variable, no glob. */
  readonly writes: readonly string[];
  /** Here-documents. `plain`: the delimiter is not quoted, so the shell interprets backslashes and `$` in the text. */
  readonly documents: readonly HereDocument[];
}

export interface HereDocument {
  readonly text: string;
  readonly plain: boolean;
}

/** Null if the line, or part of it, cannot be parsed, or would take too long. */
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

type Found = { readonly [K in keyof Commands]: Commands[K][number][] };

function visit(node: SyntaxNode, line: string, found: Found): boolean {
  if (node.type === 'Script' && (node.errors ?? []).length > 0) return false;
  // Positions in a rebuilt string (nested backticks) are not positions in this line.
  if (node.type === 'Script' && node.source !== undefined) return found.hidden.push(node.source) > 0;
  if (node.type === 'Command') noteCommand(node, found);
  if (node.type === 'Pipeline') notePipeline(node, line, found);
  if (node.type === 'Redirect') found.writes.push(...writtenBy(node));
  if (node.type === 'HereDoc') found.documents.push(documentOf(node));
  let isWhole = true;
  forEachChild(node, (child) => {
    isWhole &&= visit(child, line, found);
  });
  return isWhole;
}

const SHELLS = /^(?:.*\/)?(?:ba|z|da|k|a)?sh$|^eval$/;

function noteCommand({ name, args, redirects }: Command, found: Found): void {
  if (name === undefined) return;
  const words: LineWord[] = [name, ...args.flatMap(wordsIn)];
  found.commands.push(words);
  found.writes.push(...writtenByTee(words));
  if (!words.some((word) => SHELLS.test(word.value))) return;
  found.hidden.push(...words.slice(1).map((word) => word.value), ...redirects.map(fedBy));
}

/** `a=b` after a command's name is one of its words, too. */
const wordsIn = (argument: CommandArgument): readonly LineWord[] =>
  argument.type === 'Word' ? [argument] : [{ value: argument.text, pos: argument.pos, end: argument.end }];

function fedBy(redirect: Redirection): string {
  if (redirect.type === 'HereDoc') return redirect.body.text;
  return redirect.type === 'HereString' ? (redirect.target?.value ?? '') : '';
}

/** `echo … | sh` runs the output of the others. */
function notePipeline({ commands, pos, end }: Pipeline, line: string, found: Found): void {
  const names = commands.map((one) => (one.type === 'Command' ? (one.name?.value ?? '') : ''));
  if (names.some((name) => SHELLS.test(name))) found.hidden.push(line.slice(pos, end));
}

const documentOf = ({ body, delimiter }: HereDoc): HereDocument => ({
  text: body.text,
  plain: delimiter?.quoted !== true,
});

/** `>&2` copies a descriptor. */
function writtenBy({ operator, target }: Redirect): string[] {
  if (!operator.includes('>') || target === undefined) return [];
  return operator === '>&' && /^(?:\d+|-)$/.test(target.value) ? [] : literal(target);
}

const BEFORE_TEE = /^(?:sudo|doas|env|command|nohup|nice)$/;

function writtenByTee(words: readonly LineWord[]): string[] {
  const at = words.findIndex(({ value }) => /^(?:.*\/)?tee$/.test(value));
  if (at === -1 || (at > 0 && !BEFORE_TEE.test(words[0]?.value ?? ''))) return [];
  return words
    .slice(at + 1)
    .filter(({ value }) => !value.startsWith('-'))
    .flatMap(literal);
}

/** The literal value, or nothing. The home directory counts as literal. */
function literal(word: LineWord): string[] {
  const { parts = [] } = word as Partial<ParsedWord>;
  const [first, ...rest] = parts.map(({ type, text }) => (/^"?\$\{?HOME\}?"?$/.test(text) ? 'home' : type));
  const is_home = first === 'home' && /^\$\{?HOME\}?\//.test(word.value);
  const types = is_home || first === undefined ? rest : [first, ...rest];
  if (types.some((type) => !PLAIN.has(type))) return [];
  const said = is_home ? parts.slice(1) : parts;
  if (said.some(({ type, text }) => type === 'DoubleQuoted' && /[$`]/.test(text))) return [];
  if (parts.length === 0 && /[*?[]/.test(word.value)) return [];
  return [is_home ? word.value.replace(/^\$\{?HOME\}?/, '~') : word.value];
}

const PLAIN = new Set(['Literal', 'SingleQuoted', 'DoubleQuoted', 'AnsiCQuoted']);
