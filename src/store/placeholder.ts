/**
 * Placeholders for the lsn that a commit will get, which a rule cannot know. It writes `NEXT`, or `NEXT` plus a small
 * number, and the engine substitutes the lsn in the records and the result once the commit has one.
 *
 * `NEXT` is unambiguous: it is larger than every lsn given out, and no lsn, count or time of that size has a fraction
 * of .5. In text it only counts as a complete name (`r-<NEXT>`), in keys as the end of one (`message:m-<NEXT>`). As the
 * time of a record it means the time at which the record is appended.
 */
import type { Lsn, RecordBody } from '../core/ledger.ts';
import type { Now } from '../core/types.ts';

export const NEXT: Lsn = 2 ** 51 + 0.5;

/** Maximum number of grants in one commit. */
const ROOM = 2 ** 20;
const IN_TEXT = /(?<=(?:^|:)[a-z]-)22517998\d{8}\.5$/;

const put = (value: number, lsn: Lsn): number =>
  value >= NEXT && value < NEXT + ROOM && value % 1 === 0.5 ? value - NEXT + lsn : value;

const putInText = (text: string, lsn: Lsn): string =>
  text.endsWith('.5') ? text.replace(IN_TEXT, (found) => String(put(Number(found), lsn))) : text;

/** The value with `NEXT` replaced by `lsn`. A value without `NEXT` is returned as the same object. */
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

/** Fills in records; one whose time is `NEXT` is dated by the engine's current clock. */
export const fillAll = (records: readonly RecordBody[], lsn: Lsn, { wall_ms }: Now): RecordBody[] =>
  records.map((record) => fill(record.ts_ms === NEXT ? { ...record, ts_ms: wall_ms } : record, lsn));
