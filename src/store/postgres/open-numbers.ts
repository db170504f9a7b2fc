/**
 * Prepares the records of a commit for the server before it has drawn their number: text with marks where the number
 * belongs. `fill` inserts a number whose first digits occur nowhere in the records, so every occurrence of it is
 * a place to be filled, and nothing else is.
 */
import type { Key, RecordBody } from '../../core/ledger.ts';
import { fill, NEXT } from '../placeholder.ts';
import { checkBody, RECORD_BYTES_MAX } from '../record.ts';
import { misuse } from '../told-failure.ts';
import { bytesOfKey } from './key-bytes.ts';

/** A separator and a mark that cannot occur, because JSON escapes them. */
const [BETWEEN, MARK] = ['\x1f', '\x1e'];
/** Range of the numbers after the first one, as in placeholder.ts. */
const ROOM = 10_000_000;
const FIRST_DIGITS = 123_456_789;

interface Written {
  /** Bytes of the key, without the number that it may end with. */
  readonly key: Buffer;
  readonly open_at: number | null;
  /** Index of the record in the commit that wrote it last. */
  readonly rec_at: number;
  /** Empty if it was removed. */
  readonly state: string;
}

/** The parameters of `guard.commit_2` with the same names. */
export interface OpenCommit {
  readonly written: readonly Written[];
  /** When each record happened; null: when it is appended. */
  readonly stamps: readonly (number | null)[];
  /** The states, then the bodies. A number is written as what to add to the commit's first one, between two marks. */
  readonly content: string;
  /** Every such summand once. */
  readonly gaps: readonly number[];
  /** How many numbers the commit takes. */
  readonly span: number;
}

function digitsNotIn(text: string): number {
  for (let digits = FIRST_DIGITS; ; digits++) if (!text.includes(String(digits))) return digits;
}

function bodyOf(body: RecordBody, first: number): string {
  // JSON omits undefined: times are passed separately.
  const text = JSON.stringify({ ...fill({ ...body, ts_ms: 0 }, first), ts_ms: undefined });
  if (text.length > RECORD_BYTES_MAX)
    throw misuse(`A record of ${text.length} characters is too long.`, {
      bytes: text.length,
      type: body.type,
    });
  return text;
}

/** If a key is written more than once, the last state counts. */
function writtenIn(records: readonly RecordBody[], first: number, open: RegExp): Written[] {
  const found = new Map<Key, Written>();
  for (const [rec_at, { s }] of records.entries())
    for (const [name, state] of Object.entries(fill(s, first))) {
      const at = name.search(open);
      found.set(name, {
        key: bytesOfKey(at < 0 ? name : name.slice(0, at)),
        open_at: at < 0 ? null : Number(name.slice(at)) - first,
        rec_at,
        state: state === null ? '' : JSON.stringify(state),
      });
    }
  return [...found.values()];
}

export function openCommit(records: readonly RecordBody[]): OpenCommit {
  records.forEach(checkBody);
  const digits = digitsNotIn(JSON.stringify(records));
  const first = digits * ROOM;
  const written = writtenIn(records, first, new RegExp(`${digits}\\d{7}$`));
  const items = [
    ...written.map(({ state }) => state),
    ...records.map((record) => bodyOf(record, first)),
  ].join(BETWEEN);
  const gaps = new Set<number>();
  const content = items.replace(new RegExp(`${digits}(\\d{7})`, 'g'), (_, gap: string) => {
    gaps.add(Number(gap));
    return `${MARK}${Number(gap)}${MARK}`;
  });
  return {
    written,
    stamps: records.map(({ ts_ms }) => (ts_ms === NEXT ? null : ts_ms)),
    content,
    gaps: [...gaps],
    span: 1 + Math.max(0, ...gaps, ...written.map(({ open_at }) => open_at ?? 0)),
  };
}
