/**
 * Many transcripts as one stream, in the order of their times. A transcript is opened when its first moment has come, and held
 * only as far as one line ahead, so the memory is that of the sessions that ran side by side.
 */
import type { Happening } from './happening.ts';
import { heapOf } from './heap.ts';
import { isForked, type SizedFile } from './peek.ts';
import { openTranscript, type TranscriptReader, type Unreadable } from './reader.ts';

/** A transcript with its first moment. */
export interface BegunTranscript extends SizedFile {
  readonly at_ms: number;
  /** Of its first line. */
  readonly uuid: string;
}

export interface TranscriptReading {
  readonly transcripts: readonly BegunTranscript[];
  readonly onRead: (bytes: number) => void;
  readonly unreadable: Unreadable;
}

/** All buffers together, where every transcript is open at once. */
const BUFFERS_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = { min: 16 * 1024, max: 256 * 1024 };

interface Entry {
  readonly transcript: BegunTranscript;
  /** Behind the transcript whose lines it repeats. */
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

/** Of those that begin with the same line the forks last: what they repeat is known by then. */
function ranked(transcripts: readonly BegunTranscript[]): readonly BegunTranscript[] {
  const sharing = new Map<string, number>();
  for (const { uuid } of transcripts) sharing.set(uuid, (sharing.get(uuid) ?? 0) + 1);
  const isRepeated = ({ uuid }: BegunTranscript): boolean => uuid !== '' && (sharing.get(uuid) ?? 0) > 1;
  const forks = new Set(transcripts.filter((one) => isRepeated(one) && isForked(one)));
  return [...transcripts.filter((one) => !forks.has(one)), ...forks];
}
