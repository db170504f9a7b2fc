import { describe, expect, it } from 'vitest';
import { denialOf } from '../../src/core/denial.ts';
import type { ErrorType, Objection } from '../../src/core/denial.ts';
import { lockedByOther, notLocked, staleFile } from '../../src/core/messages.ts';

const objection = (error_type: ErrorType, path = '/repo/a'): Objection => ({
  error_type,
  path,
  message: error_type,
  details: { [error_type]: true },
  recovery_hint: 'hint',
  next: [],
});

const ORDER: readonly ErrorType[] = [
  'GUARD_ERROR',
  'PROTECTED_PATH',
  'STALE_FILE',
  'UNREAD_FILE',
  'LOCKED_BY_OTHER',
  'NOT_LOCKED',
  'WRITE_IN_FLIGHT',
];

describe('a denial of several objections', () => {
  it('does not exist without one', () => {
    expect(denialOf([])).toBeNull();
  });

  it('names the first of the order of checks, the others in details.also', () => {
    const denial = denialOf([...ORDER].reverse().map((type) => objection(type)));
    expect(denial?.error_type).toBe('GUARD_ERROR');
    expect(denial?.details['also']).toEqual(ORDER.slice(1));
  });

  it('keeps the facts of all of them', () => {
    const denial = denialOf(ORDER.map((type) => objection(type)));
    expect(denial?.details).toMatchObject(Object.fromEntries(ORDER.map((type) => [type, true])));
  });

  it('lets the first one win where two say the same fact', () => {
    const at = { abs: '/repo/a', path: 'a', guard: 'guard' };
    const holder = {
      holder: 'claude-b',
      holders: ['claude-b'],
      mode: 'exclusive',
      since: 's',
      expires_at: 'e',
    } as const;
    const other = { ...objection('WRITE_IN_FLIGHT'), details: { holder: 'claude-c' } };
    expect(denialOf([other, lockedByOther(at, holder)])?.details['holder']).toBe('claude-b');
  });

  it('names each step once: what must be waited for, then locks, then reads', () => {
    const a = { abs: '/repo/a', path: 'a', guard: 'guard' };
    const b = { abs: '/repo/b c', path: 'b c', guard: 'guard' };
    const stale = {
      baseline_hash: null,
      current_disk_hash: null,
      cause: 'modified',
      changed_by: 'outside',
    } as const;
    const denial = denialOf([staleFile(a, stale), notLocked(b), notLocked(a), staleFile(a, stale)]);
    expect(denial?.details['next']).toEqual([
      'guard lock try /repo/a',
      "guard lock try '/repo/b c'",
      'Read /repo/a again, with offset and limit if it is said to be unchanged',
    ]);
  });

  it('lists every target with what is wrong with it, once there are several', () => {
    const denial = denialOf([objection('NOT_LOCKED', '/repo/a'), objection('STALE_FILE', '/repo/b')]);
    expect(denial).toMatchObject({
      error_type: 'STALE_FILE',
      details: {
        path: '/repo/b',
        targets: [
          { path: '/repo/b', error_types: ['STALE_FILE'] },
          { path: '/repo/a', error_types: ['NOT_LOCKED'] },
        ],
      },
    });
    expect(denialOf([objection('STALE_FILE')])?.details['targets']).toBeUndefined();
  });
});
