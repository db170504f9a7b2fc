/**
 * Does what a Read showed to an agent match the disk?
 *
 * - `whole`: everything shown is on disk and nothing of the file was left out.
 * - `part`: the shown lines are the lines at that place on disk; the rest was not shown.
 * - `different`: what was shown is not on disk (a torn read, or a write after the read).
 * - `unsure`: bytes that text cannot prove (Latin-1, images, PDF pages) or an unknown shape.
 *
 * Equality ignores the byte order mark and CRLF, which no agent is shown (encoding.ts).
 */
import type { Fields } from '../input.ts';
import { isFields, numberIn, stringIn } from './field.ts';
import { compareCells } from './shown-cells.ts';
import { compareLines } from './shown-lines.ts';
import type { Shown } from './shown-extent.ts';

const UNKNOWN: Shown = { verdict: 'unsure', extent: 'unknown' };

/** Images and PDFs arrive as base64, but large ones are resized or sent page by page. */
function compareBase64(file: Fields, disk: Buffer): Shown {
  const base64 = stringIn(file, 'base64');
  if (base64 !== undefined && disk.equals(Buffer.from(base64, 'base64')))
    return { verdict: 'whole', extent: 'whole' };
  const size = numberIn(file, 'originalSize', 'original_size');
  if (size !== undefined && size !== disk.length) return { verdict: 'different', extent: 'unknown' };
  return { verdict: 'unsure', extent: 'whole' };
}

const compareParts = (file: Fields, disk: Buffer): Shown => ({
  ...compareBase64(file, disk),
  extent: 'part',
});

/** "Unchanged since you read it": no line is shown, and nothing else is proven. Some versions do this, but not 2.1.330. */
const compareNothing = (_file: Fields, disk: Buffer): Shown =>
  compareLines({ content: '', from: 1, count: 0 }, disk);

const COMPARE: Readonly<Record<string, (file: Fields, disk: Buffer) => Shown>> = {
  text: compareText,
  notebook: compareCells,
  image: compareBase64,
  pdf: compareBase64,
  parts: compareParts,
  file_unchanged: compareNothing,
};

function compareText(file: Fields, disk: Buffer): Shown {
  const content = stringIn(file, 'content', 'text');
  if (content === undefined) return UNKNOWN;
  const from = numberIn(file, 'startLine', 'start_line');
  const count = numberIn(file, 'numLines', 'num_lines');
  const total = numberIn(file, 'totalLines', 'total_lines');
  if (from === undefined) return compareWhole(content, disk);
  return compareLines({ content, from, count, total }, disk);
}

/** Text of unknown extent (other hosts, MCP readers): it proves the whole file or nothing. */
function compareWhole(content: string, disk: Buffer): Shown {
  const shown = compareLines({ content, from: 1 }, disk);
  return shown.extent === 'whole' && shown.verdict !== 'different' ? shown : UNKNOWN;
}

/** The text of MCP content blocks, if they contain only text. */
function textOfBlocks(blocks: readonly unknown[]): string | undefined {
  const texts = blocks.map((block) =>
    isFields(block) && block.type === 'text' ? stringIn(block, 'text') : undefined,
  );
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join('') : undefined;
}

interface Answer {
  readonly type: string;
  readonly file: Fields;
}

/** Reduces the many shapes of a response to type and fields; undefined for any other shape. */
function answerOf(response: unknown): Answer | undefined {
  if (typeof response === 'string') return { type: 'text', file: { content: response } };
  const blocks = isFields(response) ? response['content'] : response;
  if (Array.isArray(blocks)) return { type: 'text', file: { content: textOfBlocks(blocks) } };
  if (!isFields(response)) return undefined;
  const { type, file } = response;
  return { type: typeof type === 'string' ? type : 'text', file: isFields(file) ? file : response };
}

/** `response` is a PostToolUse `tool_response`; `disk` the current bytes of the file. */
export function compareShown(response: unknown, disk: Buffer): Shown {
  const answer = answerOf(response);
  if (!answer || !Object.hasOwn(COMPARE, answer.type)) return UNKNOWN;
  return COMPARE[answer.type]?.(answer.file, disk) ?? UNKNOWN;
}

/** The text that a response showed, verbatim; undefined if it showed none. */
export function shownText(response: unknown): string | undefined {
  const answer = answerOf(response);
  return answer?.type === 'text' ? stringIn(answer.file, 'content', 'text') : undefined;
}
