/** States of events that the engine does not know yet, in the lease cache that all clones of a machine share. */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pathKey } from '../../src/core/keys.ts';
import type { Json, Key } from '../../src/core/ledger.ts';
import { EMPTY_PATH } from '../../src/core/states.ts';
import type { Facts } from '../../src/core/types.ts';
import type { BootMoment } from '../../src/repo/boot-clock.ts';
import { alone } from '../../src/store/upkeep.ts';
import { openKept } from '../../src/workspace/kept-leases.ts';
import { readCache } from '../../src/workspace/lease-cache.ts';
import { openMemory } from '../store/memory.ts';

const A = pathKey('a.txt');
const DAY_MS = 24 * 3_600_000;
const at = (boot_ms: number): BootMoment => ({ boot_ms, mono_ms: boot_ms, wall_ms: boot_ms });
const written = { ...EMPTY_PATH, touched: 9 } as unknown as Json;

function scene() {
  const dir = fs.mkdtempSync(join(os.tmpdir(), 'guard-kept-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  const place = { dir, shared_as: 'r', machine: 'm', machine_boot: 'b', key: Buffer.alloc(32, 1) };
  const memory = openMemory({ now: () => ({ mono_ms: 1, wall_ms: 1, boot: 'e' }), shared: true });
  /** A process that works in that clone at that time. */
  const open = (clone: string, boot_ms: number) => openKept({ ...place, clone }, () => at(boot_ms));
  /** A process that leaves these states and ends. */
  const leaves = (clone: string, boot_ms: number, keys: readonly Key[]): void => {
    const kept = open(clone, boot_ms);
    kept.learn(memory.look([]), at(boot_ms));
    kept.leave(keys.map((key) => [key, written]));
    kept.save({} as Facts);
  };
  const knows = (clone: string, boot_ms: number, key: Key): boolean =>
    open(clone, boot_ms).statesOf([key]) !== null;
  return { place: { ...place, clone: 'x' }, open, leaves, knows };
}

test('what a clone left counts in all clones until it has delivered it, and no longer', () => {
  const { open, leaves, knows } = scene();
  leaves('x', 2_000, [A]);
  open('y', 3_000).delivered(at(3_000));
  expect(knows('y', 3_000, A)).toBe(true);
  open('x', 3_000).delivered(at(1_999));
  expect(knows('x', 3_000, A)).toBe(true);
  open('x', 3_000).delivered(at(2_001));
  expect([knows('x', 3_000, A), knows('y', 3_000, A)]).toEqual([false, false]);
});

test('what a removed clone left ends after a day, and takes no unlimited room until then', () => {
  const { open, leaves, knows, place } = scene();
  const keys = Array.from({ length: 500 }, (_, nth) => pathKey(`${nth}.txt`));
  leaves('x', 1_000, [A]);
  leaves('x', 2_000, keys);
  leaves('x', 3_000, [A]);
  expect(Object.keys(readCache(place)?.told ?? {})).toHaveLength(400);
  expect(knows('y', 3_000, A)).toBe(true);
  open('y', DAY_MS + 4_000).delivered(at(DAY_MS + 4_000));
  expect(readCache(place)?.told).toEqual({});
});

test('leases of an engine that was restored end even while another process has the cache', () => {
  const { open, leaves, place } = scene();
  leaves('x', 1_000, [A]);
  alone(place.dir, () => open('x', 2_000).distrust(), 1_000);
  expect(readCache(place)).toBeNull();
});
