/** Short names for the embedded engine's tests; small segments, so that a few records fill several. */
import { readdirSync } from 'node:fs';
import { type GuardError, isGuardError } from '../../src/core/error.ts';
import type { RecordBody, States } from '../../src/core/ledger.ts';
import type { LocalConfig } from '../../src/store/open.ts';
import { openEmbedded, type PlainStore } from './plain.ts';
import { clock } from './scratch.ts';

/** About five records. */
export const SEGMENT_BYTES = 650;

export const open = (dir: string, options: Partial<LocalConfig> = {}): PlainStore =>
  openEmbedded(dir, { now: clock(), segment_bytes: SEGMENT_BYTES, ...options });

export const record = (s: States, more: Partial<RecordBody> = {}): RecordBody => ({
  type: 'test',
  agent: 'a',
  ts_ms: 1_700_000_000_000,
  ...more,
  s,
});

/** Makes one commit; returns the lsn of its first record. */
export const put = (store: PlainStore, ...records: readonly RecordBody[]): number =>
  store.transactSync([], (view) => ({ records, result: view.next }));

/** Makes this many commits over five keys, `path:0` to `path:4`; the state is the commit's number. */
export function fill(dir: string, commits: number, options: Partial<LocalConfig> = {}): void {
  for (let at = 0; at < commits; at++) put(open(dir, options), record({ [`path:${at % 5}`]: at }));
}

/** The names in the directory, ascending. */
export const files = (dir: string, prefix = ''): string[] =>
  readdirSync(dir)
    .filter((name) => name.startsWith(prefix))
    .sort();

/** The error that the act throws. */
export function failure(act: () => unknown): GuardError {
  try {
    act();
  } catch (error) {
    if (isGuardError(error)) return error;
    throw error;
  }
  throw new Error('it did not fail');
}
