/**
 * `guard verify`: walks every segment, every checkpoint and the index, and reports what is wrong. It only reads, and
 * holds the lock only while it reads the index and the ledger's end.
 */
import { constants, statSync } from 'node:fs';
import { isGuardError } from '../../core/error.ts';
import type { Lsn } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';
import { readNow } from '../../repo/clock.ts';
import { asFailure } from '../failure.ts';
import { FIRST_LSN, RECORD_VERSION } from '../record.ts';
import { close, checkDir, list, openFile, segmentName } from './files.ts';
import { inspectSegment } from './inspect.ts';
import { foreignBytes } from './foreign.ts';
import { followsAt } from './leap.ts';
import { compareIndex, type IndexImage, takeIndex, verifyCheckpoints } from './verify-index.ts';
import { type Findings, learnLine, noFindings } from './verify-findings.ts';
import { judgeHeld } from './verify-held.ts';
import { cutFiles } from './cut-files.ts';
import { verifyHome } from './verify-home.ts';
import { verifiedLine, type VerifiedPlace } from './verify-line.ts';
import { type OnRead, problemOf, type VerifyReport } from './verify-report.ts';
import { sumFor } from './walk.ts';

export type { OnRead, Problem, VerifyReport } from './verify-report.ts';

/** One file of the ledger, up to the end that counts. */
interface WalkedFile {
  readonly file: string;
  readonly base: Lsn;
  readonly end: Lsn;
  /** Whether no segment follows: then an unfinished end is one that was being written. */
  readonly isLast: boolean;
}

function judge(findings: Findings, { file, base, isLast }: WalkedFile, line: VerifiedPlace): void {
  const place = { file, lsn: line.lsn, offset: line.lsn - base, bytes: line.bytes };
  if (line.damage === 'unfinished' && isLast) findings.notes.push({ kind: 'torn_tail', ...place });
  else if (line.damage !== undefined) {
    const reason = line.claims === undefined ? line.damage : `it says it is at lsn ${line.claims}`;
    findings.problems.push({ kind: problemOf(line.damage), ...place, reason });
  }
  if (line.record !== undefined && line.record.v > RECORD_VERSION) {
    findings.problems.push({ kind: 'newer_version', ...place, reason: `version ${line.record.v}` });
  }
}

/** Lines of a commit of several records only count if the last one is there. */
function walkSegment(findings: Findings, walked: WalkedFile, prev: number | undefined): number | undefined {
  const { file, base, end } = walked;
  const { fd } = openFile(findings.dir, file, constants.O_RDONLY);
  try {
    const before = findings.records;
    const lines = inspectSegment({ fd, base, end, prev, sum: sumFor(end - base) }, verifiedLine);
    let commit: VerifiedPlace[] = [];
    for (;;) {
      const step = lines.next();
      if (step.done === true) {
        settleCommit(findings, walked, commit);
        findings.segments.push({ file, first: base, end, records: findings.records - before });
        return step.value;
      }
      judge(findings, walked, step.value);
      findings.onRead(step.value.bytes);
      commit.push(step.value);
      if (step.value.record?.more !== undefined) continue;
      for (const line of commit) learnLine(findings, line);
      if (step.value.record !== undefined) findings.end = step.value.lsn + step.value.bytes;
      commit = [];
    }
  } finally {
    close(fd);
  }
}

function settleCommit(
  findings: Findings,
  { file, base, isLast }: WalkedFile,
  commit: readonly VerifiedPlace[],
): void {
  const first = commit[0];
  if (first === undefined) return;
  const place = { file, lsn: first.lsn, offset: first.lsn - base, reason: 'batch' };
  if (isLast) findings.notes.push({ kind: 'torn_tail', ...place });
  else findings.problems.push({ kind: 'unfinished_commit', ...place });
}

function endOf(dir: string, base: Lsn): Lsn {
  return base + (statSync(`${dir}/${segmentName(base)}`, { throwIfNoEntry: false })?.size ?? 0);
}

function guarded(findings: Findings, file: string, act: () => number | undefined): number | undefined {
  try {
    return act();
  } catch (error) {
    if (!isGuardError(error)) throw error;
    findings.problems.push({ kind: 'unsafe_file', file, reason: error.message });
    return undefined;
  }
}

function walkAll(findings: Findings, segments: readonly Lsn[], end: Lsn | undefined): void {
  let prev = segments[0] === FIRST_LSN ? 0 : undefined;
  for (const [at, base] of segments.entries()) {
    const following = segments[at + 1];
    const own = endOf(findings.dir, base);
    const isLast = following === undefined;
    const file = segmentName(base);
    const walked = { file, base, end: isLast ? Math.min(own, end ?? own) : own, isLast };
    prev = guarded(findings, file, () => walkSegment(findings, walked, prev));
    findings.bytes += own - base;
    if (following === undefined || following === own || followsAt(findings.dir, following) === own) continue;
    const kind = following > own ? 'missing_segment' : 'overlapping_segment';
    findings.problems.push({ kind, file: segmentName(following > own ? own : base), lsn: own });
    prev = undefined;
  }
}

/** Handles lines after the end that never were records; the next write cuts them off (tail.ts). */
function settleForeign(findings: Findings, image: IndexImage): void {
  const last = findings.segments.at(-1);
  const { end } = findings;
  if (last === undefined || image.state !== 'read' || image.header.applied !== end || last.end <= end) return;
  const bytes = foreignBytes(findings.dir, last.first, end, last.end);
  if (bytes === 0) return;
  const before = findings.problems.filter(({ file, lsn = 0 }) => file !== last.file || lsn < end);
  findings.problems.splice(0, findings.problems.length, ...before);
  findings.notes.push({ kind: 'foreign_line', file: last.file, lsn: end, offset: end - last.first, bytes });
}

/** Records below the first segment may be missing only if the ledger says so. */
function judgeFirst(findings: Findings, first: Lsn): void {
  if (first <= FIRST_LSN) return;
  if (first <= findings.dropped)
    findings.notes.push({ kind: 'compacted', file: segmentName(first), lsn: first });
  else findings.problems.push({ kind: 'missing_segment', file: segmentName(FIRST_LSN), lsn: FIRST_LSN });
}

function judgeIndex(findings: Findings, image: IndexImage): void {
  if (image.state !== 'read') {
    findings.notes.push({
      kind: image.state === 'absent' ? 'index_absent' : 'index_not_checked',
      file: 'index',
      reason: image.reason,
    });
    return;
  }
  const applied = image.header.applied;
  if (applied > findings.end) {
    const last = findings.segments.at(-1);
    findings.problems.push({
      kind: 'shorter_than_acknowledged',
      file: last?.file ?? 'index',
      lsn: findings.end,
      bytes: applied - findings.end,
    });
  } else if (applied < findings.end)
    findings.notes.push({ kind: 'index_behind', file: 'index', lsn: applied });
  else if (findings.problems.length === 0) {
    const { problems, notes } = judgeHeld(findings.held, image.header);
    findings.problems.push(...compareIndex(image, findings), ...problems);
    findings.notes.push(...notes);
  }
}

function verify(dir: string, now: () => Now, onRead?: OnRead): VerifyReport {
  checkDir(dir);
  const image = takeIndex(dir, now);
  const segments = image.segments ?? list(dir).segments;
  const first = segments[0] ?? FIRST_LSN;
  const findings = noFindings(dir, first);
  const total = segments.reduce((sum, base) => sum + endOf(dir, base) - base, 0);
  findings.onRead = (bytes) => onRead?.(bytes, total);
  walkAll(findings, segments, image.end);
  judgeFirst(findings, first);
  settleForeign(findings, image);
  judgeIndex(findings, image);
  findings.problems.push(...verifyCheckpoints(dir), ...verifyHome(dir));
  findings.notes.push(...cutFiles(dir, findings.notes));
  const { problems, notes, records, bytes, end, newest } = findings;
  return {
    ok: problems.length === 0,
    records,
    bytes,
    first,
    end,
    keys: newest.size,
    segments: findings.segments,
    problems,
    notes,
  };
}

/**
 * Throws GUARD_ERR_NOT_INITIALISED or GUARD_ERR_STATE_DIR for the directory itself, and GUARD_ERR_IO if it cannot
 * be read; everything else is in the report.
 */
export function verifyLedger(
  dir: string,
  { now = readNow, onRead }: { readonly now?: () => Now; readonly onRead?: OnRead } = {},
): VerifyReport {
  try {
    return verify(dir, now, onRead);
  } catch (error) {
    throw asFailure(error, `verify the ledger in ${dir}`, { path: dir });
  }
}
