/**
 * The number that a commit is going to get. A rule cannot know it, and need not: it writes `NEXT`, or `NEXT` and a small
 * number, and the engine puts the lsn in its place, in the records and in the result, when the commit has one.
 *
 * No lsn, count or time has a half in it at that size, and `NEXT` is larger than every lsn that was given out. In text it
 * counts only as a whole name of its own (`r-<NEXT>`), in keys as the end of one (`message:m-<NEXT>`). As the time of a record it is
 * the time at which that is appended.
 */
import type { Lsn, RecordBody } from '../core/ledger.ts';
import type { Now } from '../core/types.ts';

export const NEXT: Lsn = 2 ** 51 + 0.5;

/** So many grants in one commit. */
const ROOM = 2 ** 20;
const IN_TEXT = /(?<=(?:^|:)[a-z]-)22517998\d{8}\.5$/;

const put = (value: number, lsn: Lsn): number =>
  value >= NEXT && value < NEXT + ROOM && value % 1 === 0.5 ? value - NEXT + lsn : value;

const putInText = (text: string, lsn: Lsn): string =>
  text.endsWith('.5') ? text.replace(IN_TEXT, (found) => String(put(Number(found), lsn))) : text;

/** The same value with `lsn` for `NEXT`; what has none in it stays the very same. */
export function fill<T>(value: T, lsn: Lsn): T {
  return filled(value, lsn) as T;
}

function filled(value: unknown, lsn: Lsn): unknown {
  if (typeof value === 'number') return put(value, lsn);
  if (typeof value === 'string') return putInText(value, lsn);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => filled(item, lsn));
    return items.some((item, at) => item !== value[at]) ? items : (value as unknown);
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const before: [string, unknown][] = Object.entries(value);
  const now = before.map(([name, field]) => [putInText(name, lsn), filled(field, lsn)] as const);
  const isSame = now.every(([name, field], at) => name === before[at]?.[0] && field === before[at][1]);
  return isSame ? value : Object.fromEntries(now);
}

/** A record whose time is `NEXT` is dated by the engine's clock as it is now. */
export const fillAll = (records: readonly RecordBody[], lsn: Lsn, { wall_ms }: Now): RecordBody[] =>
  records.map((record) => fill(record.ts_ms === NEXT ? { ...record, ts_ms: wall_ms } : record, lsn));
