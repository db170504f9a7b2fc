/**
 * Expands a word of a line as the shell does: braces, tilde, variables, substitutions, splitting, file names. A part that is
 * known only at run time has a reason in place of its text.
 */
import { parse } from './unbash.ts';
import type { HereDoc, Word } from 'unbash';
import type { Argument } from './call.ts';
import { expandBraces } from './braces.ts';
import { globbedFiles } from './glob-files.ts';
import type { Here } from './here.ts';
import { isUnknown, joinedTexts, type Known, unknown, type Unknown } from './known.ts';
import { LIMITS, mayParse, spend } from './limits.ts';
import { isTakenOut } from './long-documents.ts';
import { type Flow, flowOf, type FlowText } from './word-parts.ts';
import type { World } from './world.ts';

/** Empty for a variable that is empty; several for braces, file names or a list. */
export function argumentsOf(word: Word, world: World, here: Here): readonly Argument[] {
  const source = word.text;
  if (isPlain(word)) return word.value === '' ? [] : [{ text: word.value, source, is_expanded: false }];
  const texts =
    word.parts?.some(({ type }) => type === 'BraceExpansion') === true
      ? expandBraces(source, here.budget)
      : [];
  if (texts === null) return [{ text: null, source, is_expanded: true, reason: 'limit' }];
  if (texts.length < 2) return fieldsOf(flowOf(word, world, here), source, world, here);
  return texts.flatMap((text) => alternative(text, source, world, here));
}

/** Most words: without quotes, variables, patterns and tilde. */
const isPlain = ({ parts, text }: Word): boolean => parts === undefined && !text.includes('~');

function alternative(text: string, source: string, world: World, here: Here): readonly Argument[] {
  if (/^[\w@%+=:,./-]+$/.test(text)) return [{ text, source, is_expanded: true }];
  if (text === '') return [];
  if (!mayParse(text, here.budget)) return [{ text: null, source, is_expanded: true, reason: 'limit' }];
  const command = parse(`: ${text}`).commands[0]?.command;
  const [word] = command?.type === 'Command' ? command.args : [];
  if (word?.type !== 'Word') return [{ text: null, source, is_expanded: true, reason: 'syntax' }];
  const fields = fieldsOf(flowOf(word, world, here), source, world, here);
  return fields.map((field) => ({ ...field, is_expanded: true }));
}

function fieldsOf(flow: readonly Flow[], source: string, world: World, here: Here): readonly Argument[] {
  const fields: Exclude<Flow, 'break'>[][] = [[]];
  for (const part of flow) {
    if (part === 'break') fields.push([]);
    else fields.at(-1)?.push(part);
  }
  return fields
    .filter((field) => field.some((part) => 'reason' in part || part.is_quoted || part.text !== ''))
    .flatMap((field) => named(field, source, world, here));
}

type Field = readonly Exclude<Flow, 'break'>[];

function named(field: Field, source: string, world: World, here: Here): readonly Argument[] {
  const missing = field.find((part): part is Unknown => 'reason' in part);
  if (missing !== undefined) {
    const lost: Argument = { text: null, source, is_expanded: false, reason: missing.reason };
    const { globs, is_whole } = missing;
    const is_one = field.length > 1 || (is_whole === true && globs !== undefined && globs.length > 1);
    return globs === undefined || is_one ? [lost] : globs.map((glob) => ({ ...lost, glob }));
  }
  const pieces = field.filter((part): part is FlowText => !('reason' in part));
  const { cwd, options } = world;
  const files = globbedFiles(pieces, { look: here.start.look, cwd, options, budget: here.budget });
  if (files === 'directory' || files === 'limit')
    return [{ text: null, source, is_expanded: true, reason: files, ...globOf(pieces, cwd) }];
  const text = pieces.map((piece) => piece.text).join('');
  const is_expanded = pieces.some((piece) => piece.is_looped);
  if (files === null || (files.length === 0 && !options.has('nullglob')))
    return [{ text, source, is_expanded }];
  if (!spend(here.budget, 64 * files.length))
    return [{ text: null, source, is_expanded: true, reason: 'limit' }];
  return files.map((file) => ({ text: file, source, is_expanded: true }));
}

/** In the form in which the ledger compares it with what others hold. */
function globOf(pieces: readonly FlowText[], cwd: string | null): Pick<Argument, 'glob'> {
  const text = pieces
    .map((piece) => (piece.is_quoted ? piece.text.replace(/[\\*?[\]{},!^]/g, '\\$&') : piece.text))
    .join('');
  if (text.length > LIMITS.pattern_chars || (cwd === null && !text.startsWith('/'))) return {};
  return { glob: text.startsWith('/') ? text : `${cwd ?? ''}/${text}` };
}

/** Without splitting and file names: the value of an assignment, the text of a here-string. */
export function scalar(word: Word, world: World, here: Here): Known {
  return textOf(flowOf(word, world, here, true));
}

function textOf(flow: readonly Flow[]): Known {
  return joinedTexts(flow.map((part) => (part === 'break' ? ' ' : 'reason' in part ? part : part.text)));
}

/** The text of a here-document. It is data: only its substitutions run commands. */
export function hereDocument({ body, operator }: HereDoc, world: World, here: Here): Known {
  const { text: value, pos, end, parts } = body;
  if (isTakenOut(value)) return unknown('limit');
  const node: Word = { type: 'Word', text: value, value, pos, end, parts };
  const text = parts === undefined ? value : textOf(flowOf(node, world, here, true));
  if (isUnknown(text)) return unknown('input');
  return operator === '<<-' ? text.replace(/^\t+/gm, '') : text;
}
