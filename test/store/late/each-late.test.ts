/** All that one hook left has the same time, and is taken in in the order in which it was left. */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { factsAmong } from '../../../src/core/rules/among-machines.ts';
import { NOWHERE } from '../../../src/store/embedded/home.ts';
import { LATE_VERSION, lateDir, type LateStep } from '../../../src/store/late/late-file.ts';
import { takeInShared } from '../../../src/store/late/take-in-shared.ts';
import { sealLine } from '../../../src/store/sealed-line.ts';
import { Fleet } from '../../core/fleet.ts';

test('two ends that one hook left are told in their order', () => {
  const fleet = new Fleet();
  const A = fleet.machine('m-a');
  const a = A.session('a', 42);
  A.lock(a, 'f', 'g');
  const state_dir = fs.mkdtempSync(join(os.tmpdir(), 'guard-late-'));
  onTestFinished(() => fs.rmSync(state_dir, { recursive: true, force: true }));
  fs.mkdirSync(lateDir(state_dir), { mode: 0o700 });
  const leave = (path: string, left_us: number): void => {
    const { policy, guard_command } = A.facts;
    const step: LateStep = {
      ...{ v: LATE_VERSION, id: path, home: NOWHERE, shared_as: 'r', now: fleet.now, policy, guard_command },
      ...{ event: { type: 'lock.release', who: a, paths: [path] }, left_us },
    };
    fs.writeFileSync(`${lateDir(state_dir)}/${left_us.toString(16).padStart(16, '0')}.json`, sealLine(step));
  };
  leave('g', 1_999_999);
  leave('f', 2_000_001);
  takeInShared({
    ...{ state_dir, store: fleet.store, shared_as: 'r' },
    facts: () => factsAmong(fleet.now, A.facts),
  });
  const released = fleet.records().filter(({ type }) => type === 'release');
  expect(released.map((record) => record['paths'])).toEqual([['g'], ['f']]);
});
