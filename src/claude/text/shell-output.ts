/**
 * Which part of a command's output its agent was shown. Measured on clients 2.0.77 to 2.1.330: standard error is merged
 * into `stdout`; leading blank lines and trailing white space are removed; if the client moved an output into a file, the
 * payload has 30,000 characters and the model received about the first 2,000.
 */
import { asFields, asText, textField } from '../input.ts';
import type { HookInput } from '../hook-input.ts';

/** The model was shown 2,235 characters; this leaves out the frame around them, with a margin. */
const PREVIEW_CHARS = 1_900;

/** No agent was shown more: a client can be set to show at most 150,000 characters (`BASH_MAX_OUTPUT_LENGTH`). */
const MAX_CHARS = 160_000;

/** The middle of a long output is cut out. */
const CUT_LINES = /\n\.\.\. \[\d+ lines truncated\] \.\.\.\n/;
/** For a failed command, if it has more characters than this. */
const FAILED_MAX_CHARS = 10_000;
const CUT_CHARS = /\n?\n?\.\.\. \[\d+ [^\]]*truncated[^\]]*\] \.\.\.\n?\n?/;

/** Texts, each of which was shown in one piece; none if that is unknown. */
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
  // The last line of the preview may be incomplete.
  return [text.slice(0, PREVIEW_CHARS).replace(/\n[^\n]*$/, '')];
}
