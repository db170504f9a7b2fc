import { expect, describe, test } from 'vitest';
import { verifyLedger } from '../../../src/store/embedded/verify.ts';
import { chooseFlock } from '../../../src/store/flock/flock.ts';
import { bundleProgram } from '../bundle.ts';
import { failure, files, open, put, record } from '../kit.ts';
import { clock, run, withDir } from '../scratch.ts';

function isUsable(name: string): boolean {
  try {
    return chooseFlock(name).name === name;
  } catch {
    return false;
  }
}

const program = bundleProgram('test/store/flock/counter.ts');
/** The providers of this machine: the native file and flock(1) on Linux, O_EXLOCK on macOS. */
const USABLE = ['native', 'flock', 'exlock'].filter(isUsable);
const PAIRS = USABLE.flatMap((holder) => USABLE.map((other) => [holder, other] as const));

test('there is a way to call flock(2) here: on Linux two, so that they can be tried against each other', () =>
  expect(USABLE).toEqual(
    expect.arrayContaining(process.platform === 'linux' ? ['native', 'flock'] : ['exlock']),
  ));

describe('a lock that one provider holds', () => {
  test.each(PAIRS)('%s: is not given to %s, until its holder is killed', (holder, other) =>
    withDir(async (dir) => {
      put(open(dir), record({ k: 1 }));
      const holding = run(program, ['hold', dir], { GUARD_FLOCK: holder });
      await holding.lines(1);
      process.env['GUARD_FLOCK'] = other;
      try {
        const store = open(dir, { lock_deadline_ms: 60 });
        expect(failure(() => put(store, record({ k: 2 }))).code).toBe('GUARD_ERR_BUSY');
        holding.child.kill('SIGKILL');
        await holding.ended;
        put(open(dir), record({ k: 3 }));
        expect(store.readSync(['k']).get('k')).toBe(3);
      } finally {
        delete process.env['GUARD_FLOCK'];
      }
    }),
  );
});

test('processes that use different providers lose no addition of each other', () =>
  withDir(async (dir) => {
    const workers = [...USABLE, ...USABLE].map((name) =>
      run(program, ['count', dir, '40'], { GUARD_FLOCK: name }),
    );
    for (const { ended } of workers) expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(open(dir).readSync(['n']).get('n')).toBe(40 * workers.length);
    expect(verifyLedger(dir, { now: clock() }).ok).toBe(true);
  }));

test('without any provider nothing is read or written, and the reason is named', () =>
  withDir((dir) => {
    process.env['GUARD_FLOCK'] = 'lockfile';
    try {
      const error = failure(() => put(open(dir), record({ k: 1 })));
      expect([error.code, error.facts['tried']]).toEqual(['GUARD_ERR_NO_FLOCK', 'lockfile']);
      expect(files(dir)).toEqual([]);
    } finally {
      delete process.env['GUARD_FLOCK'];
    }
  }));
