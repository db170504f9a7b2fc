/**
 * What a recorded event tells about files: what was in a file before the call, and what the call made of it.
 * Text only, with LF: a payload says nothing of bytes.
 */
import { asFields, textField, type Fields } from '../claude/input.ts';
import { normaliseEnds, withoutBom } from '../claude/text/encoding.ts';
import { intendedText, verifyWrite } from '../claude/text/expected.ts';
import { isFields, numberIn, stringIn } from '../claude/text/field.ts';
import { patched } from '../claude/text/patched.ts';

/** Text of a file; null: no file. */
export type Text = string | null;

export interface Evidence {
  readonly path: string;
  /** Undefined: the event does not say. */
  readonly before?: Text | undefined;
  /** From what is there, when the call begins, to what it leaves; undefined when that cannot be told. */
  readonly after?: ((before: Text | undefined) => Text | undefined) | undefined;
}

/** A Read that showed the whole file. */
function ofRead(input: Fields, response: Fields): readonly Evidence[] {
  const file = asFields(response['file']);
  const content = stringIn(file, 'content');
  const whole =
    (numberIn(file, 'startLine') ?? 1) <= 1 && numberIn(file, 'numLines') === numberIn(file, 'totalLines');
  return content === undefined || !whole
    ? []
    : [{ path: textField(input, 'file_path', 'filePath'), before: plain(content) }];
}

const ofWriter =
  (tool: string) =>
  (input: Fields, response: Fields): readonly Evidence[] => {
    const path = textField(input, 'file_path', 'filePath', 'notebook_path');
    const call = { tool, input, response };
    const before = verifyWrite(call, null).original.text;
    const intended = intendedText(call);
    const after = intended === null ? undefined : () => intended;
    return [{ path, before: before === undefined ? undefined : plainOrNull(before), after }];
  };

/** `bashEditDiff`: the files a command changed. It comes only in some modes, and without large files. */
function ofBash(_input: Fields, response: Fields): readonly Evidence[] {
  const { files } = asFields(response['bashEditDiff']);
  return Array.isArray(files) ? files.map(asFields).map(ofChangedFile) : [];
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

const OF: Readonly<Record<string, (input: Fields, response: Fields) => readonly Evidence[]>> = {
  Read: ofRead,
  Bash: ofBash,
  Write: ofWriter('Write'),
  Edit: ofWriter('Edit'),
  MultiEdit: ofWriter('MultiEdit'),
  NotebookEdit: ofWriter('NotebookEdit'),
};

/** `payload`: of a PostToolUse; every other event tells nothing. */
export function evidenceOf(payload: Fields): readonly Evidence[] {
  if (textField(payload, 'hook_event_name') !== 'PostToolUse' || !isFields(payload['tool_response']))
    return [];
  const tool = textField(payload, 'tool_name');
  const of = Object.hasOwn(OF, tool) ? OF[tool] : undefined;
  const found = of?.(asFields(payload['tool_input']), payload['tool_response']) ?? [];
  return found.filter(({ path }) => path.startsWith('/'));
}
