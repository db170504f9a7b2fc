/**
 * Every change since the ledger's beginning, compressed in chapters of a thousand. A chapter begins with the states at
 * its start, so showing any moment decompresses only one, however long the ledger is and wherever compaction has moved
 * its records.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { applyRecord, type Snapshot } from '../core/fold.ts';
import type { Json, Key } from '../core/ledger.ts';
import { momentAfter } from '../core/moment.ts';
import type { Now } from '../core/types.ts';
import type { SeenChange } from './changes.ts';

/** The state after a change. */
interface MomentSeen {
  readonly states: Snapshot;
  readonly now: Now;
  /** The last changes up to then, oldest first. */
  readonly before: readonly SeenChange[];
}

interface Chapter {
  readonly states: readonly (readonly [Key, Json])[];
  readonly now: Now;
  readonly changes: readonly SeenChange[];
}

export interface Chapters {
  /** The number of changes. */
  readonly count: number;
  /** Their compressed size in bytes. */
  readonly bytes: number;
  take(change: SeenChange): void;
  /** @param nth from 0, below `count` */
  momentAt(nth: number): MomentSeen;
}

const LONG = 1_000;
/** The lowest level: compressing harder takes five times as long and saves a tenth of the bytes. */
const LEVEL = 1;
const LAST = 12;
const NEVER: Now = { wall_ms: 0, mono_ms: 0, boot: '' };

export function openChapters(): Chapters {
  const packed: Buffer[] = [];
  const states: Snapshot = new Map();
  const open: { begun: string; now: Now; at: Now; changes: SeenChange[]; bytes: number } = {
    ...{ begun: '[]', now: NEVER, at: NEVER, changes: [], bytes: 0 },
  };
  const chapterText = (): string =>
    `{"states":${open.begun},"now":${JSON.stringify(open.now)},"changes":${JSON.stringify(open.changes)}}`;
  const chapter = (nth: number): Chapter => {
    const bytes = packed[nth];
    const text = bytes === undefined ? chapterText() : inflateRawSync(bytes).toString('utf8');
    return JSON.parse(text) as Chapter;
  };
  return {
    get count() {
      return packed.length * LONG + open.changes.length;
    },
    get bytes() {
      return open.bytes;
    },
    take(change) {
      open.changes.push(change);
      applyRecord(states, change);
      open.at = momentAfter(open.at, change);
      if (open.changes.length < LONG) return;
      const bytes = deflateRawSync(chapterText(), { level: LEVEL });
      packed.push(bytes);
      open.bytes += bytes.length;
      open.begun = JSON.stringify([...states]);
      open.now = open.at;
      open.changes = [];
    },
    momentAt(nth) {
      const { states: begun, now: first, changes } = chapter(Math.floor(nth / LONG));
      const passed = changes.slice(0, (nth % LONG) + 1);
      const here: Snapshot = new Map(begun);
      let now = first;
      for (const change of passed) {
        applyRecord(here, change);
        now = momentAfter(now, change);
      }
      return { states: here, now, before: passed.slice(-LAST) };
    },
  };
}
