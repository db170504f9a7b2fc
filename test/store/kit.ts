/** Short words for the tests of the embedded engine: small segments, so that a few records are several of them. */
import { readdirSync } from 'node:fs';
import { type GuardError, isGuardError } from '../../src/core/error.ts';
import type { RecordBody, States } from '../../src/core/ledger.ts';
import type { LocalConfig } from '../../src/store/open.ts';
import { openEmbedded, type PlainStore } from './plain.ts';
import { clock } from './scratch.ts';

/** Five records or so. */
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

/** One commit; the lsn of its first record. */
export const put = (store: PlainStore, ...records: readonly RecordBody[]): number =>
  store.transactSync([], (view) => ({ records, result: view.next }));

/** So many commits over five keys, `path:0` to `path:4`; the state is the commit's number. */
export function fill(dir: string, commits: number, options: Partial<LocalConfig> = {}): void {
  for (let at = 0; at < commits; at++) put(open(dir, options), record({ [`path:${at % 5}`]: at }));
}

/** Names in the directory, ascending. */
export const files = (dir: string, prefix = ''): string[] =>
  readdirSync(dir)
    .filter((name) => name.startsWith(prefix))
    .sort();

/** The failure that the act ends with. */
export function failure(act: () => unknown): GuardError {
  try {
    act();
  } catch (error) {
    if (isGuardError(error)) return error;
    throw error;
  }
  throw new Error('it did not fail');
}
