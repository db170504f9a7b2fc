/**
 * What a recorded event shows about files: their content before the call, and what the call made of it. Text only, with
 * LF: a payload does not contain bytes.
 */
import { asList } from '../core/json-object.ts';
import { asFields, textField, type Fields } from '../claude/input.ts';
import { normaliseEnds, withoutBom } from '../claude/text/encoding.ts';
import { intendedText, verifyWrite, type WriteCall } from '../claude/text/expected.ts';
import { isFields, numberIn, stringIn } from '../claude/text/field.ts';
import { patched } from '../claude/text/patched.ts';
import { ownPaths, writtenBy } from '../claude/tools.ts';

/** Text of a file; null if there is no file. */
export type Text = string | null;

export interface Evidence {
  readonly path: string;
  /** Undefined if the event does not show it. */
  readonly before?: Text | undefined;
  /** Computes the content after the call from the content at its beginning; undefined if that is unknown. */
  readonly after?: ((before: Text | undefined) => Text | undefined) | undefined;
}

/** A Read that showed the whole file. */
function ofRead(response: Fields, path: string): readonly Evidence[] {
  const file = asFields(response['file']);
  const content = stringIn(file, 'content');
  const whole =
    (numberIn(file, 'startLine') ?? 1) <= 1 && numberIn(file, 'numLines') === numberIn(file, 'totalLines');
  return content === undefined || !whole ? [] : [{ path, before: plain(content) }];
}

function ofWriter(call: WriteCall, path: string): Evidence {
  const before = verifyWrite(call, null).original.text;
  const intended = intendedText(call);
  const after = intended === null ? undefined : () => intended;
  return { path, before: before === undefined ? undefined : plainOrNull(before), after };
}

/** `bashEditDiff`: the files that a command changed. Only some modes have it, and it leaves out large files. */
function ofBash(response: Fields): readonly Evidence[] {
  const { files } = asFields(response['bashEditDiff']);
  return asList(files).map(asFields).map(ofChangedFile);
}

function ofChangedFile(file: Fields): Evidence {
  const path = textField(file, 'filePath');
  const { hunks } = file;
  if (file['deleted'] === true) return { path, after: () => null };
  if (file['created'] === true) return { path, before: null, after: () => patched('', hunks) };
  return { path, after: (before) => (typeof before === 'string' ? patched(before, hunks) : undefined) };
}

const plain = (text: string): string => normaliseEnds(withoutBom(text));
const plainOrNull = (text: Text): Text => (text === null ? null : plain(text));

/** `payload`: of a PostToolUse; no other event is evidence. */
export function evidenceOf(payload: Fields): readonly Evidence[] {
  const { tool_response: response } = payload;
  if (textField(payload, 'hook_event_name') !== 'PostToolUse' || !isFields(response)) return [];
  const call = { tool: textField(payload, 'tool_name'), input: asFields(payload['tool_input']), response };
  return toldBy(call).filter(({ path }) => path.startsWith('/'));
}

function toldBy(
  call: WriteCall & { readonly input: Fields; readonly response: Fields },
): readonly Evidence[] {
  const { tool, input, response } = call;
  if (tool === 'Bash') return ofBash(response);
  const paths = ownPaths({ tool, tool_input: input });
  if (tool === 'Read') return paths.flatMap((path) => ofRead(response, path));
  return writtenBy(tool) ? paths.map((path) => ofWriter(call, path)) : [];
}
