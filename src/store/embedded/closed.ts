/** A ledger that no guard opens: its only record says that a newer guard wrote it, which every version refuses. */
import { readFileSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';
import { crc32, hex8 } from '../crc32.ts';
import { encodeRecord, FIRST_LSN, SEAL_BYTES } from '../record.ts';
import { segmentName } from './files.ts';

const CLOSED = 'ledger.closed';
/** Of one digit, as the version that it is written over; no guard will ever write it. */
const NEVER = 9;
export const CLOSED_SEGMENT = segmentName(FIRST_LSN);

/** In a directory that has no ledger of its own any more. */
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
