/**
 * Did the tool write what is on disk now?
 *
 * A write is taken as it was asked for: the content of a Write, the replaced file with the replacement of an
 * Edit, the notebook the client says it wrote. Encoding, byte order mark and line ends are the file's own,
 * so the text may stand in LF or, as a whole, in CR LF.
 */
import { decodeText, normaliseEnds, toCrlf, withoutBom } from './encoding.ts';
import { asFields, type Fields } from '../input.ts';
import { stringIn } from './field.ts';
import { afterReplacements, type Replacement } from './replacement.ts';

export { originalMatches } from './original.ts';

export interface WriteCall {
  readonly tool: string;
  /** tool_input */
  readonly input: unknown;
  /** tool_response */
  readonly response: unknown;
}

export interface Verified {
  /** `unknown`: the response does not say enough to judge, or nothing was written (`staged`). */
  readonly written: 'as_expected' | 'differs' | 'unknown';
  /** The replaced file as the client reports it; null: there was none; undefined: it does not say. */
  readonly original: { readonly text: string | null | undefined };
  /** The write is held for a person's review; the file is unchanged. */
  readonly staged?: true;
}

/** The texts a call may have written; none where that cannot be told. */
type Texts = readonly string[];

const boolIn = (fields: Fields, ...names: readonly string[]): boolean =>
  names.some((name) => fields[name] === true);

function replacementOf(fields: Fields): Replacement | undefined {
  const from = stringIn(fields, 'old_string', 'oldString', 'old_str');
  const to = stringIn(fields, 'new_string', 'newString', 'new_str');
  if (from === undefined || to === undefined) return undefined;
  return {
    from: normaliseEnds(from),
    to: normaliseEnds(to),
    all: boolIn(fields, 'replace_all', 'replaceAll'),
  };
}

function writtenByWrite(input: Fields, response: Fields): Texts {
  // A person may have changed the content before it was written: the response has the last word.
  const content = stringIn(response, 'content') ?? stringIn(input, 'content');
  return content === undefined ? [] : [content];
}

/** The response names the text that was really found (quotes bent to the file's own), the input what was asked. */
function writtenByEdit(input: Fields, response: Fields, original: string | undefined): Texts {
  if (original === undefined) return [];
  return [response, input].flatMap((fields) => {
    const replacement = replacementOf(fields);
    return replacement ? afterReplacements(original, [replacement]) : [];
  });
}

function writtenByMultiEdit(input: Fields, response: Fields, original: string | undefined): Texts {
  if (original === undefined) return [];
  return [response['edits'], input['edits']].flatMap((edits) => {
    if (!Array.isArray(edits)) return [];
    const replacements = edits.map((edit) => replacementOf(asFields(edit)));
    return replacements.every((one) => one !== undefined) ? afterReplacements(original, replacements) : [];
  });
}

function writtenByNotebookEdit(_input: Fields, response: Fields): Texts {
  const updated = stringIn(response, 'updated_file', 'updatedFile');
  const failed = (stringIn(response, 'error') ?? '') !== '';
  return updated === undefined || failed ? [] : [updated];
}

const WRITTEN: Readonly<
  Record<string, (input: Fields, response: Fields, original: string | undefined) => Texts>
> = {
  Write: writtenByWrite,
  create_file: writtenByWrite,
  Edit: writtenByEdit,
  replace_string_in_file: writtenByEdit,
  MultiEdit: writtenByMultiEdit,
  NotebookEdit: writtenByNotebookEdit,
};

/** Null is "created" in a response that says so, and "too large to tell" in any other. */
function originalOf(response: Fields): string | null | undefined {
  const text = stringIn(response, 'originalFile', 'original_file', 'originalFileContents');
  if (text !== undefined) return text;
  return response['type'] === 'create' && response['originalFile'] === null ? null : undefined;
}

/** What the call may have left in the file, the likeliest first. */
function textsOf({ tool, input, response }: WriteCall): Texts {
  const [asked, answered] = [asFields(input), asFields(response)];
  if (answered['staged'] === true || !Object.hasOwn(WRITTEN, tool)) return [];
  const original = originalOf(answered);
  const before = original === undefined ? undefined : withoutBom(normaliseEnds(original ?? ''));
  return WRITTEN[tool]?.(asked, answered, before) ?? [];
}

/** What the call was to leave in the file, with LF and without byte order mark; null where that cannot be told. */
export function intendedText(call: WriteCall): string | null {
  const [likeliest] = textsOf(call);
  return likeliest === undefined ? null : normaliseEnds(withoutBom(likeliest));
}

/** A lone surrogate cannot be written: it lands as U+FFFD. */
const asStored = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

function stands(disk: string, text: string): boolean {
  const wanted = withoutBom(text);
  if (disk === wanted) return true;
  if (disk.includes('\r') !== wanted.includes('\r') || disk.includes('\r\n')) {
    if (disk === normaliseEnds(wanted) || disk === toCrlf(wanted)) return true;
  }
  return disk.includes('\uFFFD') && disk === asStored(wanted);
}

/** `disk`: the bytes of the written file now; null where there is none. */
export function verifyWrite(call: WriteCall, disk: Buffer | null): Verified {
  const response = asFields(call.response);
  const original = { text: originalOf(response) };
  if (response['staged'] === true) return { written: 'unknown', original, staged: true };
  const texts = textsOf(call);
  if (texts.length === 0) return { written: 'unknown', original };
  const there = disk && decodeText(disk);
  const found = there !== null && texts.some((text) => stands(there, text));
  return { written: found ? 'as_expected' : 'differs', original };
}
