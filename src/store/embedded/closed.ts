/** A ledger that guard never opens: its only record claims to be from a newer guard, which every version refuses. */
import { readFileSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';
import { crc32, hex8 } from '../crc32.ts';
import { encodeRecord, FIRST_LSN, SEAL_BYTES } from '../record.ts';
import { segmentName } from './files.ts';

const CLOSED = 'ledger.closed';
/** One digit, like the version it overwrites. No guard will ever write this version. */
const NEVER = 9;
export const CLOSED_SEGMENT = segmentName(FIRST_LSN);

/** For a directory that no longer has a ledger of its own. */
export function closeLedger(dir: string, ts_ms: number): void {
  const body = { type: CLOSED, agent: 'guard', ts_ms, s: {} };
  const { bytes } = encodeRecord(body, { lsn: FIRST_LSN, prev: 0, more: 0 });
  bytes.write(String(NEVER), '{"v":'.length, 'latin1');
  bytes.write(hex8(crc32(bytes, 0, bytes.length - 1 - SEAL_BYTES)), bytes.length - 11, 'latin1');
  replaceWhole(`${dir}/${CLOSED_SEGMENT}`, bytes, { flush: true });
}

export function isClosed(dir: string): boolean {
  const text = attempt(() => readFileSync(`${dir}/${CLOSED_SEGMENT}`, 'latin1').slice(0, 200), '');
  return text.startsWith(`{"v":${NEVER},`) && text.includes(`"type":"${CLOSED}"`);
}
