import { describe, expect, it } from 'vitest';
import { readTyped } from '../../src/cli/typed.ts';
import { RESPOND_TO_RELEASE } from '../../src/operations/negotiation-response.ts';
import { LOCK_TRY } from '../../src/operations/locks.ts';
import { RESERVE_FILES } from '../../src/operations/reservations.ts';

const reserve = (ttl_minutes: string | undefined) =>
  readTyped(
    RESERVE_FILES,
    { patterns: ['src/**'], reason: 'work', ttl_minutes },
    { flags: { ttl_minutes: '--ttl' }, units_ms: { ttl_minutes: 60_000 } },
  );

const lock = (ttl_seconds: string) =>
  readTyped(
    LOCK_TRY,
    { filepaths: ['a'], ttl_seconds },
    { flags: { ttl_seconds: '--ttl' }, units_ms: { ttl_seconds: 1_000 } },
  );

describe('a typed duration', () => {
  it('that is empty is not taken for none where it says for how long', () => {
    const answer = { thread_id: 't', requester: 'b', action: 'defer', file: 'a', eta_minutes: '' };
    const read = () =>
      readTyped(RESPOND_TO_RELEASE, answer, {
        flags: { eta_minutes: '--defer' },
        units_ms: { eta_minutes: 60_000 },
      });
    expect(read).toThrow(
      expect.objectContaining({ code: 'GUARD_ERR_USAGE', facts: { field: 'eta_minutes' } }) as Error,
    );
    expect(read).toThrow('--defer must be a duration like 90s, 15m or 2h, not "".');
    expect(reserve('').input.ttl_minutes).toBe(15);
  });

  it.each([
    ['90', 1.5],
    ['90s', 1.5],
    ['1.1m', 1.1],
    ['2h', 120],
    [undefined, 15],
  ])('%s is %s minutes', (typed, minutes) => {
    expect(reserve(typed).input.ttl_minutes).toBe(minutes);
  });

  it.each(['+5', ' 5', '5 ', '-5', '1e3', 'true', 'soon'])(
    '"%s" is none, and is not taken for a number of minutes or seconds',
    (typed) => {
      const refusal = (field: string) =>
        expect.objectContaining({
          code: 'GUARD_ERR_USAGE',
          message: `--ttl must be a duration like 90s, 15m or 2h, not ${JSON.stringify(typed)}.`,
          facts: { field },
        }) as Error;
      expect(() => reserve(typed)).toThrow(refusal('ttl_minutes'));
      expect(() => lock(typed)).toThrow(refusal('ttl_seconds'));
    },
  );

  it('that is too long is cut or refused in the words of durations', () => {
    expect(reserve('48h')).toMatchObject({
      input: { ttl_minutes: 1_440 },
      notes: ['--ttl: 24h is the most, so it is 24h.'],
    });
    expect(lock('25h')).toMatchObject({
      input: { ttl_seconds: 86_400 },
      notes: ['--ttl: 24h is the most, so it is 24h.'],
    });
    expect(() => lock('0')).toThrow('--ttl must be more than 0s, not 0s.');
  });
});
