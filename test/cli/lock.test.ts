/** `guard lock try|release|status`: the JSON of the lock tools, which programs rely on byte for byte. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch } from '../claude/driver.ts';

const ME = ['--agent', 'me', '--json'];
const YOU = ['--agent', 'you', '--json'];
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const lock = (at: Scratch, ...args: readonly string[]) => {
  const told = at.guard('lock', ...args);
  return { exit: told.exit, ...(told.json() as Told) };
};

interface Told {
  readonly results: readonly Row[];
}
type Row = Readonly<Record<string, unknown>> & { readonly token?: number };

describe('guard lock try', () => {
  it('answers with exactly these fields, filepath as given, exit 0', () => {
    const at = scratch();
    const told = lock(at, 'try', './a.txt', ...ME);
    expect(told).toEqual({
      exit: 0,
      results: [
        {
          filepath: './a.txt',
          acquired: true,
          holder: null,
          holders: [],
          token: expect.any(Number) as number,
          expires_at: expect.stringMatching(RFC3339) as string,
        },
      ],
      all_acquired: true,
    });
    const expires_ms = Date.parse(String(told.results[0]?.['expires_at'])) - Date.now();
    expect(expires_ms).toBeGreaterThan(14 * 60_000);
    expect(expires_ms).toBeLessThanOrEqual(15 * 60_000);
  });

  it('refused: exit 1, who holds it, since when and until when, no token', () => {
    const at = scratch();
    lock(at, 'try', 'a.txt', ...ME);
    expect(lock(at, 'try', 'a.txt', ...YOU)).toEqual({
      exit: 1,
      results: [
        {
          filepath: 'a.txt',
          acquired: false,
          holder: 'me',
          holders: ['me'],
          token: null,
          expires_at: expect.stringMatching(/Z$/) as string,
          because: 'hold',
          mode: 'exclusive',
          since: expect.stringMatching(/Z$/) as string,
          place: 1,
          waiters: 0,
        },
      ],
      all_acquired: false,
    });
  });

  it('of several files keeps what it got, in canonical order, with exit 1', () => {
    const at = scratch();
    lock(at, 'try', 'b', ...YOU);
    const told = lock(at, 'try', 'c', 'b', 'a', ...ME);
    expect(told.exit).toBe(1);
    expect(told.results.map(({ filepath, acquired }) => [filepath, acquired])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
    ]);
    expect(lock(at, 'status', 'a', 'b', 'c', ...ME).results.map(({ held_by_me }) => held_by_me)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('of two spellings of one file: two results, one lease, one record', () => {
    const at = scratch({ files: { 'src/a.txt': 'x' } });
    fs.symlinkSync('src', at.path('link'));
    const told = lock(at, 'try', 'src/a.txt', 'src/../link/./a.txt', at.path('src/a.txt'), ...ME);
    expect(told.results.map(({ filepath }) => filepath).sort()).toEqual(
      ['src/a.txt', 'src/../link/./a.txt', at.path('src/a.txt')].sort(),
    );
    expect(new Set(told.results.map(({ token }) => token)).size).toBe(1);
    expect(at.log('hold')).toMatchObject([{ paths: ['src/a.txt'] }]);
  });

  it('again is the same lease; after a release and another holder the token is larger', () => {
    const at = scratch();
    const tokens = [lock(at, 'try', 'a', ...ME), lock(at, 'try', 'a', ...ME)].map(
      ({ results }) => results[0]?.token,
    );
    expect(tokens[0]).toBe(tokens[1]);
    lock(at, 'release', 'a', ...ME);
    expect(lock(at, 'try', 'a', ...YOU).results[0]?.token).toBeGreaterThan(tokens[0] ?? Infinity);
  });

  it('--all takes everything or nothing, also where one path can have no lock', () => {
    const at = scratch({ files: { 'src/a.txt': 'x' } });
    lock(at, 'try', 'b', ...YOU);
    for (const bad of ['b', 'src', '/etc/hosts']) {
      const told = lock(at, 'try', 'a', bad, '--all', ...ME);
      expect([told.exit, told.results.map(({ acquired }) => acquired)]).toEqual([1, [false, false]]);
    }
    expect(lock(at, 'status', 'a', ...ME).results[0]).toMatchObject({ holder: null });
    expect(lock(at, 'try', 'a', 'c', '--all', ...ME).exit).toBe(0);
  });

  it('--shared together with others, not with an exclusive one', () => {
    const at = scratch();
    lock(at, 'try', 'a', '--shared', ...ME);
    expect(lock(at, 'try', 'a', '--shared', ...YOU).exit).toBe(0);
    expect(lock(at, 'try', 'a', '--agent', 'third', '--json').results[0]).toMatchObject({
      holder: 'me',
      holders: ['me', 'you'],
    });
  });

  it('--ttl says how long it lasts', () => {
    const at = scratch();
    const told = lock(at, 'try', 'a', '--ttl', '90s', ...ME);
    expect(Date.parse(String(told.results[0]?.['expires_at'])) - Date.now()).toBeLessThanOrEqual(90_000);
  });

  it('of a directory, of a file elsewhere: no lock, and why', () => {
    const at = scratch({ files: { 'src/a.txt': 'x' } });
    const { results } = lock(at, 'try', 'src', '/etc/hosts', ...ME);
    expect(results.map(({ acquired, error }) => [acquired, typeof error])).toEqual(
      Array(2).fill([false, 'string']),
    );
  });

  it.each(['try', 'wait', 'release'])('%s of nothing is a slip', (verb) => {
    const told = scratch().guard('lock', verb, ...ME, '--json');
    expect([told.exit, told.json()]).toMatchObject([
      64,
      { error: { code: 'GUARD_ERR_USAGE', facts: { field: 'filepaths' } } },
    ]);
  });
});

describe('guard lock release', () => {
  it('is idempotent and cannot take from another agent', () => {
    const at = scratch();
    lock(at, 'try', 'a', ...ME);
    expect(lock(at, 'release', 'a', 'b', ...YOU)).toEqual({
      exit: 0,
      results: [
        { filepath: 'a', released: true, was_held: false },
        { filepath: 'b', released: true, was_held: false },
      ],
      all_released: true,
    });
    expect(lock(at, 'status', 'a', ...ME).results[0]).toMatchObject({ held_by_me: true });
    expect(lock(at, 'release', 'a', ...ME).results[0]).toMatchObject({ released: true, was_held: true });
    expect(lock(at, 'try', 'a', ...YOU).exit).toBe(0);
  });

  it('--all-held counts what it released, and takes no paths', () => {
    const at = scratch();
    lock(at, 'try', 'a', 'b', 'c', ...ME);
    lock(at, 'try', 'd', ...YOU);
    const told = at.guard('lock', 'release', '--all-held', ...ME);
    expect([told.exit, told.json()]).toEqual([0, { count: 3 }]);
    expect(at.guard('lock', 'release', '--all-held', ...ME).json()).toEqual({ count: 0 });
    expect(lock(at, 'status', ...ME).results.map(({ filepath }) => filepath)).toEqual(['d']);
    expect(at.guard('lock', 'release', 'a', '--all-held').exit).toBe(64);
  });
});

describe('guard lock status', () => {
  it('says for each file as given who holds it, and whether that is the caller', () => {
    const at = scratch();
    lock(at, 'try', 'a', ...YOU);
    expect(lock(at, 'status', './a', 'b', ...ME)).toMatchObject({
      exit: 0,
      results: [
        { filepath: './a', held_by_me: false, holder: 'you' },
        { filepath: 'b', held_by_me: false, holder: null },
      ],
    });
  });

  it('says nothing of a lease that ended', () => {
    const at = scratch();
    lock(at, 'try', 'a', '--ttl', '1s', ...ME);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
    expect(lock(at, 'status', 'a', ...ME).results[0]).toMatchObject({ holder: null });
    expect(lock(at, 'try', 'a', ...YOU).exit).toBe(0);
  });
});

describe('who asks', () => {
  it.each([
    [{ GUARD_AGENT_ID: 'x' }, 'x'],
    [{ CLAUDE_CODE_SESSION_ID: 's' }, 'claude-s'],
    [{ CLAUDE_SESSION_ID: 's' }, 'claude-s'],
    [{ INTERLOCK_AGENT_ID: 'i' }, 'i'],
    [{ INTERMUTE_AGENT_ID: 'j' }, 'j'],
    [{ CLAUDE_CODE_SESSION_ID: 's', INTERLOCK_AGENT_ID: 'i' }, 'claude-s'],
  ])('%j is %s', (env, name) => {
    const at = scratch();
    at.guardWith(env, 'lock', 'try', 'a');
    expect(at.log('hold')[0]).toMatchObject({ agent: name });
  });

  it.each([
    ['an agent of another session', { CLAUDE_CODE_SESSION_ID: 's' }, 'claude-t/x'],
    ['a name that is none', {}, 'a b'],
    ['two names', {}, 'x --agent y'],
  ])('%s is refused as wrong usage', (_, env, agent) => {
    const at = scratch();
    const args = agent.includes('--agent') ? agent.split(' ') : [agent];
    expect(at.guardWith(env, 'lock', 'try', 'a', '--agent', ...args).exit).toBe(64);
    expect(at.log('hold')).toEqual([]);
  });

  it('outside of a guarded repository: exit 2, and what to do', () => {
    const at = scratch({ init: null });
    const told = at.guard('lock', 'try', 'a', '--json');
    expect([told.exit, told.json()]).toMatchObject([2, { error: { code: 'GUARD_ERR_NOT_INITIALISED' } }]);
    expect(told.stderr).toContain('guard init');
  });

  it('wrong usage is 64', () => {
    const at = scratch();
    expect(
      [
        ['lock', 'grab', 'a'],
        ['lock', 'try', 'a', '--ttl', 'soon'],
        ['lock', 'try', '--nonsense'],
      ].map((args) => at.guard(...args).exit),
    ).toEqual([64, 64, 64]);
  });
});
