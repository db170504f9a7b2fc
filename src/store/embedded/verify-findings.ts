/** What `verifyLedger` collects as it walks the records. */
import type { Key, LedgerRecord, Lsn } from '../../core/ledger.ts';
import { COMPACT_TYPE, CUT_TYPE } from '../record.ts';
import { learnHeld, noHeld } from './verify-held.ts';
import type { VerifiedPlace } from './verify-line.ts';
import type { Note, Problem, SegmentReport } from './verify-report.ts';

export interface Findings {
  readonly dir: string;
  readonly segments: SegmentReport[];
  readonly problems: Problem[];
  readonly notes: Note[];
  /** Newest lsn of each live key; `ids` has the same for explicit ids. */
  readonly newest: Map<Key, Lsn>;
  readonly ids: Map<string, Lsn>;
  readonly held: ReturnType<typeof noHeld>;
  records: number;
  bytes: number;
  end: Lsn;
  dropped: Lsn;
  /** Called with the number of bytes read from a segment. */
  onRead: (bytes: number) => void;
}

export const noFindings = (dir: string, first: Lsn): Findings => ({
  dir,
  segments: [],
  problems: [],
  notes: [],
  newest: new Map(),
  ids: new Map(),
  held: noHeld(),
  records: 0,
  bytes: 0,
  end: first,
  dropped: 0,
  onRead: () => undefined,
});

export function learnLine(findings: Findings, { record, lsn }: VerifiedPlace): void {
  if (record === undefined) return;
  findings.records++;
  const { states, id, whole } = record;
  learnHeld(findings.held, states);
  for (const [key, state] of states) {
    if (state === null) findings.newest.delete(key);
    else findings.newest.set(key, lsn);
  }
  if (id !== undefined) findings.ids.set(id, lsn);
  if (whole !== undefined) learnOwn(findings, whole, lsn);
}

/** What the ledger says about itself. */
function learnOwn(findings: Findings, { type, first, bytes, file, cause }: LedgerRecord, lsn: Lsn): void {
  if (type === COMPACT_TYPE && typeof first === 'number')
    findings.dropped = Math.max(findings.dropped, first);
  if (type !== CUT_TYPE || typeof file !== 'string') return;
  findings.notes.push({
    kind: 'cut',
    file,
    lsn,
    ...(typeof bytes === 'number' ? { bytes } : {}),
    ...(typeof cause === 'string' ? { reason: cause } : {}),
  });
}
