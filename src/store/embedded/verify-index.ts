/** Compares the index and the checkpoints with the ledger, for `verifyLedger`. */
import { statSync } from 'node:fs';
import { isGuardError } from '../../core/error.ts';
import type { Key, Lsn } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';
import { knownErrno, isIndexAnomaly } from '../failure.ts';
import { fingerprint, type Fingerprint, idFingerprint } from '../fingerprint.ts';
import { chooseFlock } from '../flock/flock.ts';
import { close, checkpointName, INDEX, list, LOCK, segmentName } from './files.ts';
import { bootPrint, filePrint, type Header } from './header.ts';
import { type IndexFile, openIndex } from './index-file.ts';
import { lockSync } from './lock.ts';
import { openPages, readWhole } from './pages.ts';
import { lsnsIn } from './range.ts';
import { findSlot } from './table.ts';
import type { Problem } from './verify-report.ts';

const LOCK_DEADLINE_MS = 4000;
/** How many differences of the index are listed; it is rebuilt as a whole anyway. */
const NAMED_MAX = 20;

/** The index at one moment, and how far the ledger went at that moment. */
export type IndexImage = {
  readonly segments: readonly Lsn[] | undefined;
  readonly end: Lsn | undefined;
} & (
  | { readonly state: 'read'; readonly header: Header; readonly bytes: Uint8Array }
  | { readonly state: 'absent' | 'unchecked'; readonly reason: string }
);

/** Reads the index under the lock, so that it matches the ledger's end. */
export function takeIndex(dir: string, now: () => Now): IndexImage {
  if (statSync(`${dir}/${LOCK}`, { throwIfNoEntry: false }) === undefined) return look(dir, now().boot, 0);
  try {
    const held = lockSync({
      dir,
      flock: chooseFlock(),
      deadline_ms: LOCK_DEADLINE_MS,
      writable: false,
      mono_ms: () => now().mono_ms,
    });
    try {
      return look(dir, now().boot, filePrint(held.home));
    } finally {
      held.free();
    }
  } catch (error) {
    if (!isGuardError(error)) throw error;
    return { state: 'unchecked', reason: error.code, segments: undefined, end: undefined };
  }
}

function look(dir: string, boot: string, home: number): IndexImage {
  const { segments } = list(dir);
  const last = segments.at(-1);
  const size =
    last === undefined ? 0 : (statSync(`${dir}/${segmentName(last)}`, { throwIfNoEntry: false })?.size ?? 0);
  const end = last === undefined ? undefined : last + size;
  const found = openIndex(dir, INDEX, false);
  if (found === undefined) return { state: 'absent', reason: 'there is none', segments, end };
  try {
    if (found.header === undefined)
      return { state: 'absent', reason: 'its header is damaged', segments, end };
    const isCurrent =
      found.header.boot === bootPrint(boot) && found.header.home === home && found.header.lost === 0;
    if (!isCurrent)
      return { state: 'absent', reason: 'it is from another boot or another place', segments, end };
    return { state: 'read', header: found.header, bytes: readWhole(found.file.fd), segments, end };
  } finally {
    close(found.file.fd);
  }
}

interface Expected {
  readonly newest: ReadonlyMap<Key, Lsn>;
  readonly ids: ReadonlyMap<string, Lsn>;
}

function* expectedSlots(
  { newest, ids }: Expected,
  first: Lsn,
): Generator<readonly [name: string, Fingerprint, Lsn]> {
  for (const [key, lsn] of newest) yield [key, fingerprint(key), lsn];
  for (const [both, lsn] of ids) {
    const [agent = '', id = ''] = both.split('\0');
    if (lsn >= first) yield [`id ${id}`, idFingerprint(agent, id), lsn];
  }
}

const differs = (lsn: Lsn, reason: string): Problem => ({ kind: 'index_differs', file: INDEX, lsn, reason });

/** Every key must be in the index at its newest lsn, and nothing else may be in it. */
export function compareIndex(image: Extract<IndexImage, { state: 'read' }>, expected: Expected): Problem[] {
  const problems: Problem[] = [];
  const { shape, first } = image.header;
  const pages = openPages(image.bytes);
  let count = 0;
  try {
    for (const [name, print, lsn] of expectedSlots(expected, first)) {
      count++;
      if (findSlot(pages, shape, print, (at) => at === lsn) === undefined)
        problems.push(differs(lsn, `${name} is missing or old`));
      if (problems.length >= NAMED_MAX) return problems;
    }
    const found = lsnsIn(pages, shape).filter((lsn) => lsn >= first).length;
    if (found !== count) problems.push(differs(image.header.applied, `${found} entries, ${count} expected`));
  } catch (error) {
    if (!isIndexAnomaly(error)) throw error;
    problems.push(differs(image.header.applied, error.message));
  }
  return problems;
}

function checkpointProblem(
  name: string,
  { file, header }: IndexFile,
  segments: readonly Lsn[],
): Problem | undefined {
  const bad = (reason: string): Problem => ({ kind: 'bad_checkpoint', file: name, reason });
  if (header === undefined) return bad('its header is damaged');
  if (!segments.includes(header.base))
    return bad(`it belongs to ${segmentName(header.base)}, which is missing`);
  try {
    const named = lsnsIn(openPages(readWhole(file.fd)), header.shape);
    const wrong = named.find((lsn) => lsn >= header.applied);
    if (wrong !== undefined) return bad(`it names lsn ${wrong}, but ends at ${header.applied}`);
  } catch (error) {
    if (!isIndexAnomaly(error)) throw error;
    return bad(error.message);
  }
  return undefined;
}

/** An unusable checkpoint costs time after a crash, and nothing else. */
export function verifyCheckpoints(dir: string): Problem[] {
  const { checkpoints, segments } = list(dir);
  return checkpoints.flatMap((lsn): Problem[] => {
    const name = checkpointName(lsn);
    try {
      const found = openIndex(dir, name, false);
      if (found === undefined) return [];
      try {
        const problem = checkpointProblem(name, found, segments);
        return problem === undefined ? [] : [problem];
      } finally {
        close(found.file.fd);
      }
    } catch (error) {
      if (!isGuardError(error) && knownErrno(error) === undefined) throw error;
      return [{ kind: 'unsafe_file', file: name, reason: String(error) }];
    }
  });
}
