import { expect, test } from 'vitest';
import { GuardError } from '../../../src/core/error.ts';
import { engine } from '../../../src/install/checks/engine.ts';
import type { Patient } from '../../../src/install/check.ts';
import type { EngineFound } from '../../../src/install/seen-engine.ts';

const standby = (kind: string | null, state: string | null = 'streaming') => ({ name: 's', kind, state });
const SEEN = {
  ...{ now_ms: 0, round_trip_ms: 1.5, clock_difference_ms: 3, is_flushed: true, is_waited_for: true },
  ...{ asynchronous: false, standbys: [standby('sync')] },
};
const found = (seen: EngineFound) =>
  engine.run({ engine: seen, repo: { clone: '~@host.repo-0123456789' } } as Patient, []);

test.each([
  ['a standby in step', {}, ['ok'], 'in_step'],
  ['one of a quorum', { standbys: [standby('quorum'), standby('async')] }, ['ok'], 'in_step'],
  ['standbys that it tells nobody about', { standbys: [standby(null, null)] }, ['ok'], 'in_step'],
  ['a standby that catches up', { standbys: [standby('sync', 'catchup')] }, ['fail'], 'stuck'],
  ['no standby to wait for', { standbys: [] }, ['fail'], 'stuck'],
  [
    'standbys that are behind',
    { is_waited_for: false, standbys: [standby('async')] },
    ['fail'],
    'asynchronous',
  ],
  [
    'such, as told',
    { is_waited_for: false, standbys: [standby('async')], asynchronous: true },
    ['warn'],
    'asynchronous',
  ],
  ['no standby at all', { is_waited_for: false, standbys: [] }, ['warn'], 'alone'],
  ['a server far away', { round_trip_ms: 101 }, ['ok', 'warn'], 'in_step'],
  ['a clock that is slow', { clock_difference_ms: -61_000 }, ['ok', 'warn'], 'in_step'],
  ['writes that stay in memory', { is_flushed: false }, ['ok', 'warn'], 'in_step'],
])('%s', (_what, seen, statuses, standing) => {
  const results = found({ ...SEEN, ...seen });
  expect(results.map(({ status }) => status)).toEqual(statuses);
  expect(results[0]?.facts).toMatchObject({ standing });
});

test('one that does not answer is told with its code, and one that nobody shares not at all', () => {
  const away = new GuardError('GUARD_ERR_ENGINE_AWAY', 'away', 'look');
  expect(found(away)).toMatchObject([
    { status: 'fail', facts: { code: 'GUARD_ERR_ENGINE_AWAY' }, hint: 'look' },
  ]);
  expect(found(null)).toEqual([]);
});
