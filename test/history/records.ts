/** Ledger records for the tests of history, with only what those read. */
import type { Json, LedgerRecord } from '../../src/core/ledger.ts';
import { EMPTY_PATH } from '../../src/core/states.ts';

const BEGUN_MS = Date.parse('2026-03-02T09:00:00.000Z');

export const BOOT = 'this-boot';
export const msAt = (second: number): number => BEGUN_MS + second * 1_000;

/** The record of second `n`, whose lsn is `100 n`. */
export const recordAt = (
  second: number,
  type: string,
  more: Readonly<Record<string, unknown>>,
): LedgerRecord => ({
  ...{
    v: 1,
    id: String(second),
    type,
    agent: 'ann',
    lsn: second * 100,
    ts: new Date(msAt(second)).toISOString(),
  },
  ...{ prev: '', crc: '', s: {} },
  ...more,
});

export const hold = (agent: string, token: number, more: object = {}): object => ({
  ...{ agent, mode: 'exclusive', token, epoch: 1, since_wall_ms: msAt(token), since_mono_ms: token * 1_000 },
  ...{ boot: BOOT, ttl_ms: 900_000 },
  ...more,
});

export const ticket = (agent: string, second: number, more: object = {}): object => ({
  ...{ agent, mode: 'exclusive', epoch: 1, ticket: second * 100, since_mono_ms: second * 1_000 },
  ...{ until_mono_ms: second * 1_000 + 2_000, boot: BOOT },
  ...more,
});

export const pathState = (more: object): Json => ({ ...EMPTY_PATH, ...more }) as unknown as Json;

export const agentState = (id: string, more: object = {}): Json => ({
  ...{
    id,
    kind: 'session',
    parent: null,
    session: id,
    joined_lsn: 1,
    joined_wall_ms: msAt(0),
    context: 'own',
  },
  ...{ turn: 1, epoch: 1, active_mono_ms: 0, active_wall_ms: msAt(0), boot: BOOT, proc: null, live: true },
  ...{ op: null, background: [], denials: 0 },
  ...more,
});
