/** What can be saved from a damaged ledger: the newest intact state of each key, and from where on it is intact. */
import { constants } from 'node:fs';
import type { Json, Key, Lsn } from '../../core/ledger.ts';
import { hex8 } from '../crc32.ts';
import { checkVersion, decodeRecord } from '../record.ts';
import { checkpointsAndIndexEnd } from './known-end.ts';
import { close, list, openFile, segmentName } from './files.ts';
import { type Inspected, inspectSegment } from './inspect.ts';
import { followsAt } from './leap.ts';
import { sumFor } from './walk.ts';

export interface Salvage {
  /** Segments from this lsn on are intact; if no segment begins there, one has to be created. */
  readonly first: Lsn;
  /** Where the next record goes; `prev` is the crc of the record before it. */
  readonly end: Lsn;
  readonly prev: string;
  /** Live keys whose newest intact record lies before `first`. */
  readonly carried: readonly (readonly [Key, Json])[];
}

interface Newest {
  readonly lsn: Lsn;
  readonly state: Json;
}

interface Surveyed {
  readonly base: Lsn;
  /** Where the previous segment must end: at `base`, or earlier if there is a leap. */
  readonly follows: Lsn;
  readonly end: Lsn;
  readonly whole: boolean;
}

interface Survey {
  readonly newest: Map<Key, Newest>;
  /** For each segment: where it ends, whether it is intact, and what it follows. */
  readonly segments: Surveyed[];
  /** Greater than every lsn that any record claims. */
  claimed: Lsn;
  prev: string;
}

function learn(survey: Survey, line: Inspected): void {
  const { record } = line;
  if (record === undefined) return;
  checkVersion(record.v, { lsn: line.lsn });
  const lsn = line.claims ?? line.lsn;
  for (const [key, state] of Object.entries(record.s)) survey.newest.set(key, { lsn: line.lsn, state });
  survey.claimed = Math.max(survey.claimed, lsn + line.bytes);
  survey.prev = record.crc;
}

function surveySegment(survey: Survey, dir: string, base: Lsn, prev: string | undefined): string | undefined {
  const { fd, size } = openFile(dir, segmentName(base), constants.O_RDONLY);
  try {
    const lines = inspectSegment({ fd, base, end: base + size, prev, sum: sumFor(size) }, decodeRecord);
    let whole = true;
    let commit: Inspected[] = [];
    for (;;) {
      const step = lines.next();
      if (step.done === true) {
        survey.segments.push({
          base,
          follows: followsAt(dir, base),
          end: base + size,
          whole: whole && commit.length === 0,
        });
        return step.value;
      }
      if (step.value.damage !== undefined || step.value.claims !== undefined) whole = false;
      commit.push(step.value);
      if (step.value.record?.['more'] !== undefined) continue;
      for (const line of commit) learn(survey, line);
      commit = [];
    }
  } finally {
    close(fd);
  }
}

/** The lowest base from which every segment is intact and follows the one before it. */
function wholeFrom({ segments }: Survey, acknowledged: Lsn): Lsn | undefined {
  let first: Lsn | undefined;
  let following = segments.at(-1)?.end;
  if (following === undefined || following < acknowledged) return undefined;
  for (const { base, follows, end, whole } of segments.toReversed()) {
    if (!whole || end !== following) break;
    first = base;
    following = follows;
  }
  return first;
}

/** Reads the whole ledger; the caller must hold the lock. Throws GUARD_ERR_VERSION for records of a newer guard. */
export function salvage(dir: string): Salvage {
  const survey: Survey = { newest: new Map(), segments: [], claimed: 0, prev: hex8(0) };
  let prev: string | undefined;
  for (const base of list(dir).segments) {
    if (survey.segments.at(-1)?.end !== followsAt(dir, base)) prev = undefined;
    prev = surveySegment(survey, dir, base, prev);
  }
  const acknowledged = checkpointsAndIndexEnd(dir);
  const end = Math.max(survey.segments.at(-1)?.end ?? 1, survey.claimed, acknowledged);
  const first = wholeFrom(survey, Math.max(acknowledged, survey.claimed)) ?? end;
  const carried = [...survey.newest].filter(([, { lsn, state }]) => lsn < first && state !== null);
  return { first, end, prev: survey.prev, carried: carried.map(([key, { state }]) => [key, state]) };
}
