/** A process that counts in a store, or holds its lock until it is killed. GUARD_FLOCK names the provider. */
import { writeSync } from 'node:fs';
import { lockSync } from '../../../src/store/embedded/lock.ts';
import { chooseFlock } from '../../../src/store/flock/flock.ts';
import { open, record } from '../kit.ts';

const PAUSE_MS = 2 ** 30;

function hold(dir: string): void {
  lockSync({
    dir,
    flock: chooseFlock(),
    deadline_ms: 1000,
    writable: true,
    mono_ms: () => performance.now(),
  });
  writeSync(1, '"held"\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

export function main([act = '', dir = '', rounds = '0']: readonly string[]): void {
  if (act === 'hold') {
    hold(dir);
    return;
  }
  const store = open(dir, { lock_deadline_ms: 30_000 });
  for (let round = 0; round < Number(rounds); round++) {
    store.transactSync(['n'], (view) => ({
      records: [record({ n: Number(view.get('n') ?? 0) + 1 })],
      result: null,
    }));
  }
}
