/** Taking in what was left for a shared ledger: in its order, and whatever the engine fails with, losing nothing. */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { factsAmong } from '../../../src/core/rules/among-machines.ts';
import { NOWHERE } from '../../../src/store/embedded/home.ts';
import { LATE_VERSION, lateDir, type LateStep, unreadNames } from '../../../src/store/late/late-file.ts';
import { takeInShared } from '../../../src/store/late/take-in-shared.ts';
import { engineFailure } from '../../../src/store/postgres/engine-failure.ts';
import { sealLine } from '../../../src/store/sealed-line.ts';
import type { Store } from '../../../src/store/store.ts';
import { misuse } from '../../../src/store/told-failure.ts';
import { Fleet } from '../../core/fleet.ts';

/** Ends that an agent on a machine of a fleet left, and what takes them in. */
function leftBehind() {
  const fleet = new Fleet();
  const A = fleet.machine('m-a');
  const a = A.session('a', 42);
  A.lock(a, 'f', 'g', 'h');
  const state_dir = fs.mkdtempSync(join(os.tmpdir(), 'guard-late-'));
  onTestFinished(() => fs.rmSync(state_dir, { recursive: true, force: true }));
  fs.mkdirSync(lateDir(state_dir), { mode: 0o700 });
  return {
    fleet,
    /** @param late_ms how late the process takes the engine's clock to be */
    leave: (path: string, left_us = 1, { late_ms = 0, boot = A.boot } = {}): void => {
      const { policy, guard_command } = A.facts;
      const { wall_ms } = fleet.now;
      const step: LateStep = {
        ...{
          v: LATE_VERSION,
          id: path,
          home: NOWHERE,
          shared_as: 'r',
          now: { ...fleet.now, wall_ms: wall_ms + late_ms },
          machine_boot: boot,
          policy,
          guard_command,
        },
        ...{ event: { type: 'lock.release', who: a, paths: [path] }, left_us },
      };
      fs.writeFileSync(
        `${lateDir(state_dir)}/${left_us.toString(16).padStart(16, '0')}.json`,
        sealLine(step),
      );
    },
    takeIn: (store: Store = fleet.store): void =>
      takeInShared({ ...{ state_dir, store, shared_as: 'r' }, facts: () => factsAmong(fleet.now, A.facts) }),
    released: () => fleet.records().flatMap((record) => (record.type === 'release' ? [record['paths']] : [])),
    unread: () => unreadNames(state_dir).length,
  };
}

test('two ends that one hook left are told in their order', () => {
  const { leave, takeIn, released } = leftBehind();
  leave('g', 1_999_999);
  leave('f', 2_000_001);
  takeIn();
  expect(released()).toEqual([['g'], ['f']]);
});

test("those of one boot are taken in as they were left, whatever each process took for the engine's time", () => {
  const { leave, takeIn, released } = leftBehind();
  // Of a boot that had lasted for longer.
  leave('f', 9_000_000_000, { boot: 'before', late_ms: -60_000 });
  leave('g', 1_000_000, { late_ms: 5_000 });
  leave('h', 2_000_000);
  takeIn();
  expect(released()).toEqual([['f'], ['g'], ['h']]);
});

describe('an end that the engine could not take', () => {
  const failing = (store: Store, on: 'look' | 'commit', error: Error): Store => ({
    ...store,
    [on]: () => {
      throw error;
    },
  });
  const SERVER = { host: 'db', port: 5432 };
  const said = (code: string) =>
    engineFailure(Object.assign(new Error(code), { severity: 'ERROR', code }), SERVER, 0);

  test.each([
    ['a full disk, in the commit', 'commit', said('53100')],
    ['an error that nobody foresaw, in the commit', 'commit', said('P0001')],
    ['an error that nobody foresaw, in the look', 'look', said('P0001')],
    ['an answer that is not JSON', 'look', new SyntaxError('Unexpected token')],
    ['a refusal', 'look', said('28000')],
  ] as const)('stays until it can: %s', (_name, on, error) => {
    const { fleet, leave, takeIn, released, unread } = leftBehind();
    leave('f');
    expect(() => takeIn(failing(fleet.store, on, error))).toThrow(error);
    expect([released(), unread()]).toEqual([[], 0]);
    takeIn();
    expect([released(), unread()]).toEqual([[['f']], 0]);
  });

  test.each([
    ['the server says so', said('54000')],
    ['its record is too large to be sent', misuse('A record is too long.', { bytes: 17_000_000 })],
  ])(
    'is set aside if the engine can never store it, and does not stop what comes after it: %s',
    (_name, error) => {
      const { fleet, leave, takeIn, released, unread } = leftBehind();
      leave('f');
      takeIn(failing(fleet.store, 'commit', error));
      expect([released(), unread()]).toEqual([[], 1]);
    },
  );
});
