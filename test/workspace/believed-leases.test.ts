/** Which leases are trusted from a file's contents, and from which agent's file. */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agentKey, pathKey } from '../../src/core/keys.ts';
import type { Json } from '../../src/core/ledger.ts';
import { EMPTY_PATH } from '../../src/core/states.ts';
import type { BootMoment } from '../../src/repo/boot-clock.ts';
import { acknowledgedStates } from '../../src/workspace/acknowledged-states.ts';
import { believed, mergedLeases } from '../../src/workspace/believed-leases.ts';
import {
  changeCache,
  type CachedLease,
  type LeaseCache,
  readCache,
} from '../../src/workspace/lease-cache.ts';
import { cachedLedger } from '../../src/workspace/cached-ledger.ts';
import { openKept } from '../../src/workspace/kept-leases.ts';
import { openMemory } from '../store/memory.ts';

const MINUTE_MS = 60_000;
const at = (boot_ms: number): BootMoment => ({ boot_ms, mono_ms: boot_ms, wall_ms: boot_ms });

const LEASE: CachedLease = {
  ...{ path: 'a.txt', holder: 'x', parent: null, token: 5, asked: at(1_000), seen_boot_ms: 1_000 },
  ...{ left_ms: 27 * MINUTE_MS, margin_ms: 2_000 },
};

const CACHE: LeaseCache = {
  ...{ v: 1, shared_as: 'r', machine: 'm', machine_boot: 'b', clock: null, indexed: true, away_boot_ms: 0 },
  ...{ states: {}, told: {}, leases: [LEASE], ended: {} },
};

/** As written by another process that learned nothing about the file. */
const writtenAt = (old: LeaseCache, boot_ms: number, leases: readonly CachedLease[] = []): LeaseCache => {
  const news = { machine: 'm', marks: {}, leases, known: acknowledgedStates(old, 'c'), at: at(boot_ms) };
  return { ...old, ...mergedLeases(old, news) };
};

const dirHere = (): string => {
  const dir = fs.mkdtempSync(join(os.tmpdir(), 'guard-leases-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
};

test('a long lease that ended is not believed again when the word of its end is old', () => {
  const ended = { 'p agent:x': { key: agentKey('x'), until_boot_ms: 2_000, from_token: 9 } };
  const old = { ...CACHE, ended };
  expect(believed(old, at(3_000))).toEqual([]);
  const later = writtenAt(old, 6 * MINUTE_MS);
  expect(later.ended).toEqual({});
  expect(believed(later, at(6 * MINUTE_MS))).toEqual([]);
});

test('what a process saw so long ago that nobody keeps its end any more it does not bring back', () => {
  const later = writtenAt({ ...CACHE, leases: [] }, 6 * MINUTE_MS, [LEASE]);
  expect(believed(later, at(6 * MINUTE_MS))).toEqual([]);
  const soon = writtenAt({ ...CACHE, leases: [] }, MINUTE_MS, [LEASE]);
  expect(believed(soon, at(MINUTE_MS))).toMatchObject([{ path: 'a.txt' }]);
});

test('a file that was copied to another place counts as none', () => {
  const [here, there] = [dirHere(), dirHere()];
  const place = { shared_as: 'r', machine: 'm', machine_boot: 'b', clone: 'c', key: Buffer.alloc(32, 1) };
  changeCache({ ...place, dir: here }, () => CACHE);
  expect(readCache({ ...place, dir: here })).toEqual(CACHE);
  fs.copyFileSync(`${here}/leases.cache`, `${there}/leases.cache`);
  expect(readCache({ ...place, dir: there })).toBeNull();
});

test('of a commit that was in before nothing is kept: what stands there was judged on other states', () => {
  const now = { mono_ms: 1_000, wall_ms: 1_000, boot: 'e' };
  const memory = openMemory({ now: () => now, shared: true });
  const place = { shared_as: 'r', machine: 'm', machine_boot: 'b', clone: 'c', key: Buffer.alloc(32, 1) };
  const kept = openKept({ ...place, dir: dirHere() }, () => at(1_000));
  const store = cachedLedger(memory, kept, { may_begin: false, facts: () => null });
  const key = pathKey('a.txt');
  const commit = (touched: number) => {
    const { tip, states } = store.look([key]);
    const keys = new Map([[key, states.get(key)?.version ?? 0]]);
    const s = { [key]: { ...EMPTY_PATH, touched } as unknown as Json };
    return store.commit({ tip, keys, lists: [] }, [{ type: 'hold', agent: 'x', ts_ms: 1_000, s }], 'one')
      .verdict;
  };
  expect(commit(1)).toBe('done');
  expect(commit(2)).toBe('repeated');
  expect(kept.statesOf([key])?.get(key)?.state).toMatchObject({ touched: 1 });
});
