/**
 * Merges many transcripts into one chronological stream. A transcript is opened at its first moment, and only one line is read
 * ahead, so memory is bounded by the number of sessions that ran in parallel.
 */
import type { Happening } from './happening.ts';
import { heapOf } from './heap.ts';
import { isForked, type SizedFile } from './peek.ts';
import { openTranscript, type TranscriptReader, type Unreadable } from './reader.ts';

/** A transcript with its first moment. */
export interface BegunTranscript extends SizedFile {
  readonly at_ms: number;
  /** The uuid of its first line. */
  readonly uuid: string;
}

export interface TranscriptReading {
  readonly transcripts: readonly BegunTranscript[];
  readonly onRead: (bytes: number) => void;
  readonly unreadable: Unreadable;
}

/** The limit for all buffers together, if every transcript is open at the same time. */
const BUFFERS_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = { min: 16 * 1024, max: 256 * 1024 };

interface Entry {
  readonly transcript: BegunTranscript;
  /** Puts a fork after the transcript whose lines it repeats. */
  readonly rank: number;
  at_ms: number;
  reader?: TranscriptReader;
}

const isBefore = (a: Entry, b: Entry): boolean =>
  a.at_ms < b.at_ms || (a.at_ms === b.at_ms && a.rank < b.rank);

export function* merged({ transcripts, onRead, unreadable }: TranscriptReading): Generator<Happening, void> {
  const share = Math.floor(BUFFERS_BYTES / Math.max(1, transcripts.length));
  const chunk_bytes = Math.min(CHUNK_BYTES.max, Math.max(CHUNK_BYTES.min, share));
  const heap = heapOf(isBefore);
  ranked(transcripts).forEach((transcript, rank) => heap.push({ transcript, rank, at_ms: transcript.at_ms }));
  for (let first = heap.peek(); first !== undefined; first = heap.peek()) {
    first.reader ??= openTranscript({ ...first.transcript, chunk_bytes, onRead }, unreadable);
    const head = first.reader.head();
    if (head !== null && head.at_ms > first.at_ms) first.at_ms = head.at_ms;
    else if (head !== null) {
      yield head;
      first.reader.advance();
      continue;
    }
    heap.pop();
    if (head !== null) heap.push(first);
  }
}

/** Among transcripts with the same first line, forks come last, so that the lines they repeat are already known. */
function ranked(transcripts: readonly BegunTranscript[]): readonly BegunTranscript[] {
  const sharing = new Map<string, number>();
  for (const { uuid } of transcripts) sharing.set(uuid, (sharing.get(uuid) ?? 0) + 1);
  const isRepeated = ({ uuid }: BegunTranscript): boolean => uuid !== '' && (sharing.get(uuid) ?? 0) > 1;
  const forks = new Set(transcripts.filter((one) => isRepeated(one) && isForked(one)));
  return [...transcripts.filter((one) => !forks.has(one)), ...forks];
}
