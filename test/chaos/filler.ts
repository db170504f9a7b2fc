/** Commits until the store refuses, then reports how many commits were acknowledged and why it refused. */
import { writeSync } from 'node:fs';
import { isGuardError } from '../../src/core/error.ts';
import { open, put, record } from '../store/kit.ts';

const ROUNDS_MAX = 100_000;

export function main([dir = '']: readonly string[]): void {
  const store = open(dir, { segment_bytes: 1 << 20 });
  for (let n = 1; n <= ROUNDS_MAX; n++) {
    try {
      put(store, record({ n, [`key:${n % 50}`]: 'x'.repeat(n % 300) }));
    } catch (error) {
      writeSync(
        1,
        JSON.stringify({ acknowledged: n - 1, code: isGuardError(error) ? error.code : String(error) }),
      );
      return;
    }
  }
}
