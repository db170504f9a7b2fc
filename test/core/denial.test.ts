import { describe, expect, it } from 'vitest';
import { denialOf, type Objection } from '../../src/core/denial.ts';
import { DENIAL_KINDS, type ErrorType } from '../../src/core/denial-kinds.ts';
import {
  type HolderFacts,
  lockedByOther,
  lockedByOtherToo,
  notLocked,
  protectedPath,
  staleFile,
  unreadFile,
} from '../../src/core/messages.ts';

const objection = (error_type: ErrorType, path = '/repo/a'): Objection => ({
  error_type,
  path,
  message: error_type,
  details: { [error_type]: true },
  recovery_hint: 'hint',
  next: [],
});

const ORDER = Object.keys(DENIAL_KINDS) as readonly ErrorType[];

describe('a denial of several objections', () => {
  it('does not exist without one', () => {
    expect(denialOf([])).toBeNull();
  });

  it('names the first of the order of checks, the others in details.also', () => {
    const denial = denialOf([...ORDER].reverse().map((type) => objection(type)));
    expect(denial?.error_type).toBe('GUARD_ERROR');
    expect(denial?.details['also']).toEqual(ORDER.slice(1));
  });

  it('never names first what is only said of a harness tool', () => {
    const denial = denialOf([
      objection('NOT_PERMITTED'),
      objection('PROTECTED_PATH'),
      objection('GUARD_ERROR'),
    ]);
    expect(denial?.error_type).toBe('GUARD_ERROR');
    expect(denial?.details['also']).toEqual(['PROTECTED_PATH', 'NOT_PERMITTED']);
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

  describe('of content that is old and a file that somebody holds', () => {
    const at = { abs: '/repo/a', path: 'a', guard: 'guard' };
    const holder: HolderFacts = {
      holder: 'claude-b',
      holders: ['claude-b'],
      mode: 'exclusive',
      since: 's',
      expires_at: 'e',
    };
    const seen = { current_disk_hash: null, changed_by: 'outside' };
    const stale = { ...seen, baseline_hash: null, cause: 'modified' } as const;

    it('STALE_FILE keeps the words of its specification, and details.hint names the holder first', () => {
      const denial = denialOf([staleFile(at, stale), lockedByOther(at, holder)]);
      expect(denial).toMatchObject({
        error_type: 'STALE_FILE',
        message: 'File modified by another actor. Re-read required.',
        recovery_hint:
          "Perform a new 'read_file' to see the latest changes before attempting to write again.",
        details: { hint: 'Locked by claude-b: wait for the lock first, then read.' },
      });
      expect(Object.keys(denial?.details ?? {}).slice(0, 2)).toEqual(['path', 'hint']);
    });

    it('UNREAD_FILE names the holder first in its own words', () => {
      const denial = denialOf([unreadFile(at, seen), lockedByOther(at, holder)]);
      expect(denial?.message).toMatch(
        /^Locked by claude-b: wait for the lock first, then read\. File \/repo\/a/,
      );
      expect(denial?.recovery_hint).toBe('Follow the steps of details.next, in order.');
      expect(denial?.details['hint']).toBeUndefined();
    });

    it('is read once, after the wait', () => {
      expect(denialOf([staleFile(at, stale), lockedByOther(at, holder)])?.details['next']).toEqual([
        'guard lock wait /repo/a',
        'Read /repo/a again, with offset and limit if it is said to be unchanged',
      ]);
    });

    it('a file that is only held has no hint, and a file that is only old has none either', () => {
      for (const one of [staleFile(at, stale), lockedByOther(at, holder)])
        expect(denialOf([one])?.details['hint']).toBeUndefined();
    });
  });

  it('whom to ask is the holder, not the id of the reservation in the same details', () => {
    const at = { abs: '/repo/a', path: 'a', guard: 'guard' };
    const time = '2026-11-22T14:50:03.123Z';
    const facts = { holder: 'b', holders: ['b'], mode: 'exclusive', since: time, expires_at: time } as const;
    const { details, recovery_hint } = lockedByOther(at, { ...facts, id: 'r-1', pattern: 'a*', reason: 'x' });
    expect(details).toMatchObject({ id: 'r-1', holder: 'b' });
    expect(recovery_hint).toBe('Ask: guard negotiate request FILE --of WHO --reason WHY');
  });

  it('a refused write says that Bash is judged alike; a refused command need not', () => {
    const at = { abs: '/repo/a', path: 'a', guard: 'guard' };
    const time = '2026-11-22T14:50:03.123Z';
    const facts = { holder: 'b', holders: ['b'], mode: 'exclusive', since: time, expires_at: time } as const;
    const written = [
      lockedByOtherToo(at, facts),
      lockedByOtherToo(at, { ...facts, holder_state: 'at work' }),
    ];
    const unread = unreadFile(at, { current_disk_hash: null, changed_by: 'b' });
    for (const { message } of [...written, unread]) expect(message).toContain('Bash too');
    expect(protectedPath(at, 'why').recovery_hint).toContain('Bash too');
    expect(lockedByOther(at, facts).message).toBe('Locked by another agent.');
  });

  it('LOCKED_BY_OTHER of one file and one holder is said in less than 600 characters', () => {
    const abs = `/${'x'.repeat(59)}`;
    const id = 'claude-00000000-0000-4000-8000-000000000001';
    const time = '2026-11-22T14:50:03.123Z';
    const facts = { holder: id, holders: [id], mode: 'exclusive', since: time, expires_at: time } as const;
    const silence = { holder_state: 'silent for 70 s, yields in 110 s' };
    for (const more of [facts, { ...facts, ...silence }]) {
      const denial = denialOf([lockedByOtherToo({ abs, path: 'x', guard: 'guard' }, more)]);
      expect(JSON.stringify(denial).length).toBeLessThan(600);
      expect(denial?.details).toMatchObject({
        path: abs,
        holder: id,
        holders: [id],
        since: time,
        expires_at: time,
      });
    }
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
