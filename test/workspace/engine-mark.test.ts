/** What an engine shows, compared with what it acknowledged to this machine. */
import { expect, test } from 'vitest';
import { agentKey } from '../../src/core/keys.ts';
import { noteAcknowledged, readAcknowledged } from '../../src/workspace/engine-mark.ts';
import { A, B, engineToTell } from './engine-to-tell.ts';

const REFUSED = 'GUARD_ERR_ENGINE_RESTORED';
const LEAP = 2 ** 32;

test('a restore to before the last restore is noticed, by every process', () => {
  const { shown, open, refusals } = engineToTell();
  const [one, other] = [open(), open()];
  Object.assign(shown, { epoch: 'B', tip: LEAP });
  expect(one.look()).toBe('B');
  expect(one.commit(A, LEAP)).toBe('done');
  Object.assign(shown, { epoch: 'A', tip: 40 });
  expect(one.look(B)).toBe(REFUSED);
  expect(other.look(B)).toBe(REFUSED);
  expect(refusals()).toBe(2);
  Object.assign(shown, { epoch: 'C', tip: 40 + 2 * LEAP });
  expect(one.look(B)).toBe('C');
});

test('a new epoch has nothing to live up to, and a failover keeps numbers and epoch', () => {
  const { shown, open, refusals } = engineToTell();
  const one = open();
  shown.tip = 40;
  expect(one.look()).toBe('A');
  expect(one.commit(A, 41)).toBe('done');
  // The standby drew no number that was acknowledged, and may leave some out.
  Object.assign(shown, { tip: 42, versions: { [A]: 41 } });
  expect(one.look(A)).toBe('A');
  expect(one.commit(B, 74)).toBe('done');
  Object.assign(shown, { epoch: 'B', tip: 42 + LEAP, versions: {} });
  expect(one.look(A, B)).toBe('B');
  expect(one.commit(A, 42 + LEAP)).toBe('done');
  expect(refusals()).toBe(0);
});

test('a commit that gets a number already used is refused, and not noted', () => {
  const { dir, shown, open, refusals } = engineToTell();
  const one = open();
  shown.tip = 40;
  one.look();
  expect(one.commit(A, 50)).toBe('done');
  expect(one.commit(B, 45)).toBe(REFUSED);
  expect(refusals()).toBe(1);
  expect(readAcknowledged(dir)).toEqual({ epoch: 'A', lsn: 50, written: { [A]: 50 } });
});

test('a commit repeated under its id has its old number, and processes of a machine may note theirs in any order', () => {
  const { dir, shown, open, refusals } = engineToTell();
  const [one, other] = [open(), open()];
  shown.tip = 40;
  one.look();
  other.look();
  expect(one.commit(A, 50)).toBe('done');
  expect(other.commit(A, 44, 'repeated')).toBe('repeated');
  shown.meanwhile = () => noteAcknowledged(dir, { epoch: 'A', lsn: 53, written: { [B]: 53 } });
  expect(other.commit(A, 52)).toBe('done');
  expect(readAcknowledged(dir)).toEqual({ epoch: 'A', lsn: 53, written: { [A]: 52, [B]: 53 } });
  expect(refusals()).toBe(0);
});

test('what an older epoch acknowledged does not replace what a newer one did', () => {
  const { dir } = engineToTell();
  const old = { epoch: 'A', lsn: 50, written: { [A]: 50 } };
  const newer = { epoch: 'B', lsn: LEAP, written: { [agentKey('x')]: LEAP } };
  noteAcknowledged(dir, old);
  noteAcknowledged(dir, newer);
  noteAcknowledged(dir, { ...old, written: { [A]: null } });
  expect(readAcknowledged(dir)).toEqual(newer);
});

test.each([
  ['others removed', [[41, A], [60, B], [70]], true],
  ['are older than the log', [[80]], true],
  ['others wrote over, under the same numbers', [[41, A], [60, A], [70]], false],
] as const)('states that %s cost a look at one record or two, once', (_, log, isTrue) => {
  const { dir, shown, scans, open } = engineToTell();
  const one = open();
  Object.assign(shown, { tip: 40, log });
  one.look();
  one.commit(A, 41);
  one.commit(B, 60);
  Object.assign(shown, { tip: 81 });
  expect(one.look(A, B)).toBe(isTrue ? 'A' : REFUSED);
  expect(scans[0]).toEqual([60, 1]);
  if (!isTrue) return;
  expect(scans.length).toBeLessThanOrEqual(2);
  expect(readAcknowledged(dir)).toEqual({ epoch: 'A', lsn: 60, written: {} });
});

test('a commit that does not end keeps no look waiting, and the state is looked for later', () => {
  const { dir, shown, scans, open } = engineToTell();
  const one = open();
  shown.tip = 40;
  one.look();
  one.commit(A, 60);
  Object.assign(shown, { tip: 50, top: 70, log: [[41, B]] });
  expect(one.look(A)).toBe('A');
  expect(scans).toEqual([]);
  expect(readAcknowledged(dir)?.written).toEqual({ [A]: 60 });
  shown.tip = 71;
  expect(one.look(A)).toBe(REFUSED);
});
