/** Which span of time the page shows. Pure. */
import type { Extent } from './wire.ts';

const SPANS_MS = {
  '5 min': 300_000,
  '15 min': 900_000,
  '1 h': 3_600_000,
  '6 h': 21_600_000,
  '1 day': 86_400_000,
  '1 week': 604_800_000,
} as const;

/** `everything`: from the first record. */
export type SpanName = keyof typeof SPANS_MS | 'everything';
export const SPAN_NAMES = [...Object.keys(SPANS_MS), 'everything'] as readonly SpanName[];

/** Some room before the first record, and a length that can be seen. */
const ROOM = 1.02;
const LEAST_MS = 15_000;

const lengthOf = (name: SpanName, first_ms: number, to_ms: number): number =>
  name === 'everything' ? Math.max(LEAST_MS, (to_ms - first_ms) * ROOM) : SPANS_MS[name];

/** The last hour; all of it if the ledger is younger; and after a longer silence, as much as it takes to see something. */
export function fittingSpan(extent: Extent | null, now_ms: number): SpanName {
  const { first = null, last = null } = extent ?? {};
  if (first === null || last === null) return '1 h';
  if (now_ms - first.ms < SPANS_MS['1 h']) return 'everything';
  const silent_ms = now_ms - last.ms;
  return SPAN_NAMES.slice(SPAN_NAMES.indexOf('1 h')).find((name) => reaches(name, silent_ms)) ?? 'everything';
}

const reaches = (name: SpanName, silent_ms: number): boolean =>
  name === 'everything' || SPANS_MS[name] * 0.8 > silent_ms;

interface Shown {
  readonly name: SpanName;
  /** The present, or the last record if the clocks differ. */
  readonly now_ms: number;
  /** The moment shown; `null` for the present. */
  readonly at_ms: number | null;
}

/** The browser's clock differs from look to look, and each other span is asked for again. */
const STEP_MS = 5_000;
/** Of the span: how much follows an earlier moment, and how far that is rounded. */
const AFTER = 1 / 4;

/** Ends now, as long as it contains the moment shown; otherwise soon after that moment. */
export function windowShown(extent: Extent | null, { name, now_ms, at_ms }: Shown) {
  const to_now = Math.ceil(now_ms / STEP_MS) * STEP_MS;
  const length_ms = lengthOf(name, extent?.first?.ms ?? to_now, to_now);
  const isWithin = at_ms === null || at_ms >= to_now - length_ms;
  const step_ms = (length_ms * AFTER) / 2;
  const to_ms = isWithin
    ? to_now
    : Math.min(to_now, Math.ceil((at_ms + length_ms * AFTER) / step_ms) * step_ms);
  return { from_ms: Math.max(0, Math.floor(to_ms - length_ms)), to_ms: Math.floor(to_ms) };
}
