/**
 * A line as `verifyLedger` needs it. All of it is checked as `decodeRecord` checks it, but no object is created for what is only checked: V8
 * makes a hidden class for the states of every record, which is garbage at once. A line that is not in the plain form that guard writes is
 * decoded in full.
 */
import type { Json, Key, LedgerRecord } from '../../core/ledger.ts';
import { type Damage, decodeRecord, isExplicitId, RECORD_VERSION, SEAL_BYTES, type Sum } from '../record.ts';
import type { Chained, Inspected } from './inspect.ts';
import {
  ENGINE_ID,
  HEAD,
  HEX_CHARS,
  hexAt,
  literal,
  LSN,
  MORE,
  OWN_TYPE,
  PREV,
  sealedCrc,
  standsAt,
  STATES,
} from './line-bytes.ts';
import { digitsEnd, nameEnd, naturalAt, valueEnd } from './plain-json.ts';
import { statesEnd } from './plain-states.ts';

export interface VerifiedLine extends Chained<number> {
  readonly v: number;
  /** Agent and id, separated by NUL, if a caller gave the id. */
  readonly id: string | undefined;
  /** As `statesEnd` or JSON.parse read them. */
  readonly states: readonly (readonly [Key, Json])[];
  /** The whole record; always there if it is about the ledger itself. */
  readonly whole: LedgerRecord | undefined;
}

export type VerifiedPlace = Inspected<VerifiedLine>;

const COLON = 58;
const TYPE = literal('","type":"');
const TS = literal('","ts":"');
const AGENT = literal('","agent":"');
const FACT = literal(',"');

/** A fact of one of these names would replace, or be replaced by, what the record says in its own place. */
const OWN_NAMES = new Set(['v', 'id', 'type', 'ts', 'agent', 's', 'more', 'prev', 'lsn', 'crc']);

const fromHex = (digits: string): number => Number.parseInt(digits, 16);
const textOf = (bytes: Buffer, from: number, to: number): string => bytes.toString(undefined, from, to);

/** Where `,"s":{` begins, after all facts. */
function factsEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (standsAt(bytes, at, FACT) && !standsAt(bytes, at, STATES)) {
    const name = at + FACT.length;
    const end = nameEnd(bytes, name);
    if (end < 0 || bytes[end + 1] !== COLON || OWN_NAMES.has(textOf(bytes, name, end))) return -1;
    at = valueEnd(bytes, end + 2);
  }
  return standsAt(bytes, at, STATES) ? at : -1;
}

/** Where the plain string that follows `before` ends; -1 if something else is there. */
const endAfter = (bytes: Buffer, at: number, before: Uint8Array): number =>
  standsAt(bytes, at, before) ? nameEnd(bytes, at + before.length) : -1;

/** `bytes[start..seal)` is what the checksum covers. Undefined if the line has to be decoded in full. */
function plainLine(bytes: Buffer, start: number, seal: number, crc: number): VerifiedLine | undefined {
  const idEnd = endAfter(bytes, start, HEAD);
  const typeEnd = endAfter(bytes, idEnd, TYPE);
  const tsEnd = endAfter(bytes, typeEnd, TS);
  const agentEnd = endAfter(bytes, tsEnd, AGENT);
  if (agentEnd < 0 || standsAt(bytes, idEnd + TYPE.length, OWN_TYPE)) return undefined;
  const states: [Key, Json][] = [];
  const facts = factsEnd(bytes, agentEnd + 1);
  const close = facts < 0 ? -1 : statesEnd(bytes, facts + STATES.length - 1, states);
  if (close < 0) return undefined;
  const hasMore = standsAt(bytes, close, MORE);
  const prevAt = hasMore ? digitsEnd(bytes, close + MORE.length) : close;
  const more = hasMore ? naturalAt(bytes, close + MORE.length, prevAt) : undefined;
  const prev = standsAt(bytes, prevAt, PREV) ? hexAt(bytes, prevAt + PREV.length) : -1;
  const lsnAt = prevAt + PREV.length + HEX_CHARS;
  const lsn = standsAt(bytes, lsnAt, LSN) ? naturalAt(bytes, lsnAt + LSN.length, seal) : -1;
  if (prev < 0 || lsn < 0 || more === -1) return undefined;
  const idAt = start + HEAD.length;
  const id = standsAt(bytes, idAt, ENGINE_ID)
    ? undefined
    : `${textOf(bytes, tsEnd + AGENT.length, agentEnd)}\0${textOf(bytes, idAt, idEnd)}`;
  return { v: RECORD_VERSION, lsn, prev, crc, more, id, states, whole: undefined };
}

export function verifiedLine(bytes: Buffer, start: number, end: number, sum: Sum): VerifiedLine | Damage {
  const crc = sealedCrc(bytes, start, end, sum);
  const plain = crc < 0 ? undefined : plainLine(bytes, start, end - SEAL_BYTES, crc);
  if (plain !== undefined) return plain;
  const whole = decodeRecord(bytes, start, end, sum);
  if (typeof whole === 'string') return whole;
  const { v, lsn, agent, id, s } = whole;
  return {
    ...{ v, lsn, whole, prev: fromHex(whole.prev), crc: fromHex(whole.crc), more: whole['more'] },
    ...{ id: isExplicitId(id) ? `${agent}\0${id}` : undefined, states: Object.entries(s) },
  };
}
