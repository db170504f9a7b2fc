/** A process that has the lock nearly all the time, until it is killed. */
import { writeSync } from 'node:fs';
import { monotonic } from '../../../src/repo/clock.ts';
import { lockSync } from '../../../src/store/embedded/lock.ts';
import { chooseFlock } from '../../../src/store/flock/flock.ts';

const HELD_MS = 0.3;

export function main([dir = '']: readonly string[]): void {
  const flock = chooseFlock();
  for (let at = 0; ; at++) {
    const held = lockSync({ dir, flock, deadline_ms: 60_000, writable: true, mono_ms: monotonic });
    if (at === 0) writeSync(1, '"held"\n');
    const end_ms = monotonic() + HELD_MS;
    while (monotonic() < end_ms);
    held.free();
  }
}
