/**
 * Did the tool write what is on disk now?
 *
 * Measured on clients 2.0.77 to 2.1.330. In the latest, a Write leaves `tool_response.content` byte for byte (including a byte
 * order mark if the file had one), in UTF-16LE if the file was, otherwise in UTF-8. An Edit leaves `originalFile` with the
 * replacement, its line endings either all as they are there (LF) or all CRLF. A NotebookEdit does the same with `updated_file`. Up
 * to 2.1.50 a Write over a CRLF file converts its line endings to CRLF too.
 */
import { asFields, type Fields } from '../input.ts';
import { type WrittenAs, writtenBy } from '../tools.ts';
import { decode, normaliseEnds, toCrlf, withBom, withoutBom } from './encoding.ts';
import { stringIn } from './field.ts';
import type { Original } from './original.ts';
import { patched } from './patched.ts';
import { encodedFor, isWithReplacement } from './replaced-bytes.ts';
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
  /** `unknown`: the response does not say enough to decide, or nothing was written (`staged`). */
  readonly written: 'as_expected' | 'differs' | 'unknown';
  /**
   * The replaced file as the client reports it: with byte order mark, LF for CRLF. Null: it did not exist or was empty.
   * Undefined: the client does not report it (too large).
   */
  readonly original: Original;
  /** The write is held for a person's review; the file is unchanged. */
  readonly staged?: true;
}

/** Texts that a call may have left in the file, the most likely first; none if that is unknown. */
type Texts = readonly string[];

type TextsOf = (input: Fields, response: Fields, original: string | undefined) => Texts;

function writtenByWrite(input: Fields, response: Fields): Texts {
  // A person may have changed the content before it was written, so the response takes precedence.
  const content = stringIn(response, 'content') ?? stringIn(input, 'content');
  return content === undefined ? [] : [content];
}

function replacementOf(fields: Fields): Replacement | undefined {
  const from = stringIn(fields, 'old_string', 'oldString', 'old_str');
  const to = stringIn(fields, 'new_string', 'newString', 'new_str');
  const all = fields['replace_all'] === true || fields['replaceAll'] === true;
  return from === undefined || to === undefined ? undefined : { from, to, all };
}

function writtenByEdit(input: Fields, response: Fields, original: string | undefined): Texts {
  if (original === undefined) return [];
  return replacementsOf({ input, response }).flatMap((one) => afterReplacements(original, [one]));
}

/** The response has the text found in the file, the input the text that the model asked to replace. */
const replacementsOf = ({ input, response }: Omit<WriteCall, 'tool'>): Replacement[] =>
  [response, input].map((given) => replacementOf(asFields(given))).filter((one) => one !== undefined);

function writtenByMultiEdit(input: Fields, response: Fields, original: string | undefined): Texts {
  if (original === undefined) return [];
  return [response['edits'], input['edits']].flatMap((edits) => {
    if (!Array.isArray(edits)) return [];
    const replacements = edits.map((edit) => replacementOf(asFields(edit)));
    return replacements.every((one) => one !== undefined) ? afterReplacements(original, replacements) : [];
  });
}

const isFailed = (response: Fields): boolean => (stringIn(response, 'error') ?? '') !== '';

function writtenByNotebookEdit(_input: Fields, response: Fields): Texts {
  const updated = stringIn(response, 'updated_file', 'updatedFile');
  return updated === undefined || isFailed(response) ? [] : [updated];
}

const WRITTEN: Readonly<Record<WrittenAs, TextsOf>> = {
  content: writtenByWrite,
  edit: writtenByEdit,
  edits: writtenByMultiEdit,
  cells: writtenByNotebookEdit,
};

/** Null on an update means that the old content was too large (11 MB; 1 MB is still given). */
function originalOf(response: Fields): string | null | undefined {
  // A failed NotebookEdit has empty texts in older versions.
  if (isFailed(response)) return undefined;
  const text = stringIn(response, 'originalFile', 'original_file', 'originalFileContents');
  if (text !== undefined) return text;
  return response['type'] === 'create' && response['originalFile'] === null ? null : undefined;
}

/** The texts by the tool's own rule, then the text according to its patch, which is more expensive and rarely needed. */
function* textsOf({ tool, input, response }: WriteCall): Generator<string> {
  const [asked, answered] = [asFields(input), asFields(response)];
  const written = writtenBy(tool);
  if (answered['staged'] === true || !written) return;
  const original = originalOf(answered) ?? undefined;
  const texts = WRITTEN[written](asked, answered, original);
  yield* texts;
  const shown = original === undefined ? undefined : patched(original, answered['structuredPatch']);
  if (shown !== undefined && !texts.includes(shown)) yield shown;
}

/** Quotes that the client keeps in the file's style although `newString` has straight ones. */
const CURLY = /[\u2018\u2019\u201C\u201D]/;

/** The text that the call was to leave in the file, with LF and without byte order mark; null if it is unknown. */
export function intendedText(call: WriteCall): string | null {
  const isBent = CURLY.test(stringIn(asFields(call.response), 'oldString') ?? '');
  let intended: string | undefined;
  for (const text of textsOf(call)) {
    intended = text;
    // With curly quotes only the patch, the last text, shows what was written.
    if (!isBent) break;
  }
  return intended === undefined ? null : normaliseEnds(withoutBom(intended));
}

/** A lone surrogate cannot be written in UTF-8: it becomes U+FFFD. */
const asStored = (text: string): string => Buffer.from(text).toString();

/** `disk` and `text` include their byte order marks. A new file has the line endings that it was given. */
function stands(disk: string, text: string, isNew: boolean): boolean {
  if (disk === text) return true;
  // Up to 2.1.50, CRLF became CR CR LF.
  if (!isNew && disk.includes('\r\n') && [toCrlf(text), text.replaceAll('\n', '\r\n')].includes(disk))
    return true;
  return disk.includes('\uFFFD') && asStored(text) !== text && stands(disk, asStored(text), isNew);
}

/** Up to 2.1.200 a Write over UTF-16LE lost the mark, without which the bytes are not recognised as text. */
const standsUnmarked = (disk: Buffer, text: string): boolean =>
  disk.length === 2 * text.length && disk.equals(Buffer.from(text, 'utf16le'));

/** @param disk the current bytes of the written file; null if it does not exist */
export function verifyWrite(call: WriteCall, disk: Buffer | null): Verified {
  const response = asFields(call.response);
  const text = originalOf(response);
  if (response['staged'] === true) return { written: 'unknown', original: { text }, staged: true };
  const encoded = disk !== null && isEdit(call) && text ? encodedFor(disk, text) : undefined;
  const original = encoded ?? { text };
  if (disk !== null && encoded && replacementsOf(call).some((one) => isWithReplacement(disk, encoded, one)))
    return { written: 'as_expected', original };
  const isLeft = disk === null ? () => false : isLeftIn(disk, response['type'] === 'create');
  let written: Verified['written'] = 'unknown';
  for (const text of textsOf(call)) {
    if (isLeft(text)) return { written: 'as_expected', original };
    written = 'differs';
  }
  return { written, original };
}

const isEdit = ({ tool }: WriteCall): boolean => writtenBy(tool) === 'edit';

function isLeftIn(disk: Buffer, isNew: boolean): (text: string) => boolean {
  const { text: there, exact, bom } = decode(disk);
  // A version that omits the mark from its texts still keeps it in the file.
  const ways = bom ? [withBom(there), ...(isNew ? [] : [there])] : [there];
  return (text) =>
    (exact && ways.some((way) => stands(way, text, isNew))) || (!isNew && standsUnmarked(disk, text));
}
