import { describe, expect, it } from 'vitest';
import { joinLines, sessionLine, type SessionSeen } from '../../../src/cli/statusline/line.ts';

const QUIET = { locks: 0, waiters: 0, waits_ms: null, is_victim: false };
const said = (state: SessionSeen['state'], off_ms: number | null = null): string =>
  sessionLine({ state, off_ms }).text;
const alarms = (state: SessionSeen['state'], off_ms: number | null = null): boolean =>
  sessionLine({ state, off_ms }).is_alarm;

describe('the status line of a session', () => {
  it('counts its locks and who waits for them, and says how long guard is off', () => {
    expect(said({ ...QUIET, locks: 3, waiters: 1 }, 8 * 60_000)).toBe(
      '3 locks, 1 waits on you, guard off 8m',
    );
    expect(said({ ...QUIET, locks: 1, waiters: 2 })).toBe('1 lock, 2 wait on you');
    expect(said(QUIET)).toBe('no locks');
  });

  it('says how long it waits itself, and that it is in a deadlock', () => {
    expect(said({ ...QUIET, waits_ms: 95_000 })).toBe('no locks, waiting 95s');
    expect(said({ ...QUIET, locks: 1, waits_ms: 3_600_000, is_victim: true })).toBe(
      '1 lock, waiting 60m, deadlock: give way',
    );
  });

  it('says why there is nothing to count, and what guard’s own failure is', () => {
    expect(said('never_joined')).toBe('guard: this session is unguarded');
    expect(said('not_set_up')).toBe('guard: not set up here');
    expect(said({ code: 'GUARD_ERR_STATE_DIR' })).toBe('guard: GUARD_ERR_STATE_DIR (guard doctor)');
  });

  it('raises an alarm only if someone should act', () => {
    expect([alarms('never_joined'), alarms({ code: 'X' }), alarms(QUIET, 1)]).toEqual([true, true, true]);
    expect(alarms({ ...QUIET, is_victim: true })).toBe(true);
    expect([alarms(QUIET), alarms('not_set_up'), alarms('no_session')]).toEqual([false, false, false]);
  });
});

describe('beside another status line', () => {
  it('comes behind its first line, whose colours end there', () => {
    expect(joinLines('\u001b[32mmain\nmore\n', '1 lock')).toBe('\u001b[32mmain\u001b[0m | 1 lock\nmore');
    expect(joinLines('main', '1 lock')).toBe('main | 1 lock');
  });

  it('appears alone if the other one prints nothing', () => {
    expect(joinLines('', '1 lock')).toBe('1 lock');
    expect(joinLines('\n', '1 lock')).toBe('1 lock');
  });
});
