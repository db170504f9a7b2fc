/** Waiting for the lock while others take it again and again. */
import { constants } from 'node:fs';
import { expect, test } from 'vitest';
import { monotonic } from '../../../src/repo/clock.ts';
import { close, HOME, openFile } from '../../../src/store/embedded/files.ts';
import { lockSync } from '../../../src/store/embedded/lock.ts';
import { chooseFlock } from '../../../src/store/flock/flock.ts';
import type { Flock } from '../../../src/store/flock/provider.ts';
import { bundleProgram } from '../bundle.ts';
import { open, put, record } from '../kit.ts';
import { run, withDir } from '../scratch.ts';

const take: Flock['take'] = (target) => chooseFlock().take(target);

/** Whether somebody is next. */
function isSomebodyNext(dir: string): boolean {
  const { fd } = openFile(dir, HOME, constants.O_RDONLY);
  const free = take({ fd, path: `${dir}/${HOME}` });
  free?.();
  close(fd);
  return free === undefined;
}

/** Waits for a lock that is free at the `tries`th try: whether somebody was next at each of them. */
function waiting(dir: string, tries: number): boolean[] {
  const seen: boolean[] = [];
  const isHome = (path: string): boolean => path.endsWith(`/${HOME}`);
  const flock: Flock = {
    name: 'busy',
    take(target) {
      if (isHome(target.path)) return take(target);
      seen.push(isSomebodyNext(dir));
      return seen.length < tries ? undefined : () => undefined;
    },
  };
  lockSync({ dir, flock, deadline_ms: 60_000, writable: true, mono_ms: monotonic }).free();
  return seen;
}

test.runIf(process.platform === 'linux')('who has waited for some time is next, until it has the lock', () =>
  withDir((dir) => {
    put(open(dir), record({ k: 1 }));
    for (let at = 0; at < 2; at++) {
      const seen = waiting(dir, 14);
      expect([seen.slice(0, 9), seen.slice(10)]).toEqual([Array(9).fill(false), Array(4).fill(true)]);
      expect(isSomebodyNext(dir)).toBe(false);
    }
  }),
);

test('who waits while another one is next gets the lock all the same', () =>
  withDir((dir) => {
    put(open(dir), record({ k: 1 }));
    const { fd } = openFile(dir, HOME, constants.O_RDONLY);
    const free = take({ fd, path: `${dir}/${HOME}` });
    expect(waiting(dir, 14)).toHaveLength(14);
    free?.();
    close(fd);
  }));

test('a waiter gets the lock each time though others take it again at once', () =>
  withDir(async (dir) => {
    put(open(dir), record({ k: 1 }));
    const program = bundleProgram('test/store/embedded/greedy.ts');
    const greedy = [1, 2, 3].map(() => run(program, [dir]));
    try {
      for (const one of greedy) await one.lines(1);
      const asked = { dir, flock: chooseFlock(), deadline_ms: 30_000, writable: true, mono_ms: monotonic };
      for (let at = 0; at < 5; at++) lockSync(asked).free();
    } finally {
      for (const { child } of greedy) child.kill('SIGKILL');
    }
    for (const { ended } of greedy) expect((await ended).stderr).toBe('');
  }));
