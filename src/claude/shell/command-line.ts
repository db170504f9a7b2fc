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
}

/** Null where the line, or a part of it, cannot be parsed. */
export function commandsOf(line: string): Commands | null {
  const found: { commands: Word[][]; hidden: string[] } = { commands: [], hidden: [] };
  try {
    return visit(parse(line), line, found) ? found : null;
  } catch {
    // Nested too deeply to be walked.
    return null;
  }
}

type Found = { readonly commands: Word[][]; readonly hidden: string[] };

function visit(node: unknown, line: string, found: Found): boolean {
  if (Array.isArray(node)) return node.every((one) => visit(one, line, found));
  if (typeof node !== 'object' || node === null) return true;
  const fields = node as Readonly<Record<string, unknown>>;
  if (Array.isArray(fields['errors']) && fields['errors'].length > 0) return false;
  // Positions of a rebuilt string (nested backticks) are not positions of this line.
  if (typeof fields['source'] === 'string') return found.hidden.push(fields['source']) > 0;
  if (fields['type'] === 'Command') noteCommand(fields, found);
  if (fields['type'] === 'Pipeline') notePipeline(fields, line, found);
  const inner = [...Object.values(fields), fields['parts'], fields['indexParts'], fields['script']];
  return [...new Set(inner)].every((one) => visit(one, line, found));
}

const SHELLS = /^(?:.*\/)?(?:ba|z|da|k|a)?sh$|^eval$/;

function noteCommand({ name, suffix, redirects }: Readonly<Record<string, unknown>>, found: Found): void {
  const words = [name, ...listOf(suffix)].filter(isWord);
  if (!isWord(name)) return;
  found.commands.push(words);
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

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function isWord(value: unknown): value is Word {
  return typeof value === 'object' && value !== null && 'pos' in value && 'end' in value && 'value' in value;
}
