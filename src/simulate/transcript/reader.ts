/** Reads one transcript event by event. A call is returned when it begins, with its result if that is on one of the next lines. */
import { basename } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { READER_NAMES, WRITER_NAMES } from '../../claude/tools.ts';
import type { Happening, ToldCall } from './happening.ts';
import { rawLines, type LineSource, type RawLine } from './lines.ts';
import { toldIn, type ToldLine } from './parse-line.ts';

/** What could not be read. */
export interface Unreadable {
  /** Lines that are not JSON objects, except an incomplete last line. */
  lines: number;
  /** Transcripts whose last line is cut off: the client was killed, or is writing it now. */
  cut: number;
  /** Files that could not be opened, or not read to the end. */
  files: number;
}

export interface TranscriptReader {
  /** The next event, which stays the same until `advance` is called; null at the end. */
  readonly head: () => Happening | null;
  readonly advance: () => void;
}

/** Tools that read or write files that guard protects; any other call is only recorded as made. */
const JUDGED = new Set([...WRITER_NAMES, ...READER_NAMES, 'Bash', 'PowerShell']);

const isJudged = (tool: string): boolean => JUDGED.has(tool);

/** Results of a batch follow within a few lines; those of a command that runs for hours do not. */
const AHEAD_MAX = 256;

export function openTranscript(source: LineSource, unreadable: Unreadable): TranscriptReader {
  const session = basename(source.file, '.jsonl');
  const lines = rawLines(source);
  const open = new Map<string, ToldCall>();
  const queue: Happening[] = [];
  let last_ms = 0;
  let batch = '';
  let is_over = false;
  const more = (): void => {
    const next = attempt(() => lines.next(), null);
    if (next === null) unreadable.files++;
    if (next === null || next.done === true) is_over = true;
    else note(next.value);
  };
  const note = (raw: RawLine): void => {
    if (raw.text?.trim() === '') return;
    const line = raw.text === null ? undefined : toldIn(raw.text, session);
    if (line === undefined) {
      if (raw.is_ended) unreadable.lines++;
      else unreadable.cut++;
    } else if (line !== null) {
      // Lines of parallel calls may be a few milliseconds out of order; the order in the file is used.
      last_ms = Math.max(last_ms, line.at_ms);
      const is_next = line.batch !== '' && line.batch !== batch;
      if (is_next) ({ batch } = line);
      queue.push(...happeningsIn(line, { at_ms: last_ms, is_next }, open));
    }
  };
  const isReady = ([first]: readonly Happening[]): boolean =>
    first !== undefined &&
    (first.type !== 'begin' || first.call.result !== undefined || queue.length > AHEAD_MAX);
  return {
    head: () => {
      while (!is_over && !isReady(queue)) more();
      return queue[0] ?? null;
    },
    advance: () => void queue.shift(),
  };
}

function happeningsIn(
  line: ToldLine,
  { at_ms, is_next }: { readonly at_ms: number; readonly is_next: boolean },
  open: Map<string, ToldCall>,
): readonly Happening[] {
  const { by, cwd, uuid } = line;
  const moment = { at_ms, by, cwd, uuid };
  const begun = line.calls
    .filter(({ id }) => id !== '')
    .map((one): Happening => {
      const call = { ...one, input: isJudged(one.tool) ? one.input : {}, cwd };
      open.set(call.id, call);
      return { ...moment, type: 'begin', call };
    });
  const ended = line.results.flatMap(({ id, ...result }): Happening[] => {
    const call = open.get(id);
    if (call === undefined) return [];
    open.delete(id);
    call.result = isJudged(call.tool) ? result : { response: null, text: '', is_error: result.is_error };
    return [{ ...moment, type: 'end', call }];
  });
  const said = line.is_prompt ? (['prompt'] as const) : line.is_rest ? (['rest'] as const) : [];
  const batch = is_next ? [{ ...moment, type: 'batch' as const }] : [];
  return [...batch, ...begun, ...ended, ...said.map((type): Happening => ({ ...moment, type }))];
}
