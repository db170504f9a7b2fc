/**
 * What of a command's output its agent was shown. Measured on clients 2.0.77 to 2.1.330: standard error is merged into
 * `stdout`; leading blank lines and trailing white space are gone; of an output that the client put into a file the payload
 * has 30,000 characters and the model got the first 2,000 or so.
 */
import { asFields, asText, textField } from '../input.ts';
import type { HookInput } from '../hook-input.ts';

/** Of the 2,235 characters that the model was shown, the frame around them taken off, with some left over. */
const PREVIEW_CHARS = 1_900;

/** What a client may be told to show at most (`BASH_MAX_OUTPUT_LENGTH`) is 150,000 characters; nobody was shown more than this. */
const MAX_CHARS = 160_000;

/** The middle of a long one is cut out. */
const CUT_LINES = /\n\.\.\. \[\d+ lines truncated\] \.\.\.\n/;
/** Of a failed command, above this many characters. */
const FAILED_MAX_CHARS = 10_000;
const CUT_CHARS = /\n?\n?\.\.\. \[\d+ [^\]]*truncated[^\]]*\] \.\.\.\n?\n?/;

/** Texts of which each was shown in one piece; none where that cannot be told. */
export function outputShown({ event, raw, tool_response }: HookInput): readonly string[] {
  const pieces = event === 'PostToolUseFailure' ? ofFailed(asText(raw['error'])) : ofFinished(tool_response);
  return pieces.filter((piece) => piece !== '');
}

function ofFailed(error: string): readonly string[] {
  const text = /^Exit code \d+\n([^]*)$/.exec(error)?.[1] ?? '';
  return text.length < FAILED_MAX_CHARS ? [text] : text.split(CUT_CHARS);
}

function ofFinished(given: unknown): readonly string[] {
  const response = asFields(given);
  const isElsewhere = response['isImage'] === true || textField(response, 'backgroundTaskId') !== '';
  if (isElsewhere || response['interrupted'] === true) return [];
  const text = asText(response['stdout']);
  if (text.length > MAX_CHARS) return [];
  if (textField(response, 'persistedOutputPath') === '') return text.split(CUT_LINES);
  // The last line of the preview may be half a line.
  return [text.slice(0, PREVIEW_CHARS).replace(/\n[^\n]*$/, '')];
}
