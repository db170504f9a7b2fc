/** Acquires, releases and waits at random until it is killed. Prints every answer it gets as a line on stdout. */
import { writeSync } from 'node:fs';
import { isGuardError } from '../../src/core/error.ts';
import { compactLedger } from '../../src/store/embedded/compact.ts';
import { openEmbedded } from '../store/plain.ts';
import { clock } from '../store/scratch.ts';
import { type Act, step } from './model.ts';
import { type Random, seeded } from './random.ts';

export const SEGMENT_BYTES = 32 * 1024;
const KEYS = 12;
/** One round in this many compacts, so that the storm hits compaction too. */
const COMPACT_EVERY = 150;

export function randomAct(random: Random, agent: string, now_ms: number): Act {
  const keys = new Set(Array.from({ length: 1 + random(4) }, () => `key:${random(KEYS)}`));
  const op =
    (['acquire', 'acquire', 'acquire', 'release', 'release', 'wait'] as const)[random(6)] ?? 'acquire';
  return {
    op,
    agent,
    keys: [...keys],
    mode: random(3) === 0 ? 'shared' : 'exclusive',
    // Short, so that holds end on their own during the storm.
    ttl_ms: random(4) === 0 ? 5 + random(40) : 200 + random(600),
    now_ms,
  };
}

const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);

export function main([dir = '', agent = '', seed = '1', rounds = 'Infinity']: readonly string[]): void {
  const random = seeded(Number(seed));
  const now = clock();
  const store = openEmbedded(dir, { now, segment_bytes: SEGMENT_BYTES, lock_deadline_ms: 20_000 });
  for (let round = 0; round < Number(rounds); round++) {
    const act = randomAct(random, agent, now().mono_ms);
    try {
      if (random(COMPACT_EVERY) === 0) {
        compactLedger(dir, {
          now,
          segment_bytes: SEGMENT_BYTES,
          keep_bytes: 2 * SEGMENT_BYTES,
          lock_deadline_ms: 20_000,
        });
      }
      say({ act, answer: store.transactSync(act.keys, step(act)) });
    } catch (error) {
      say({ failed: isGuardError(error) ? `${error.code} ${error.message}` : String(error) });
      process.exitCode = 3;
      return;
    }
  }
}
