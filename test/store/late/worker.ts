/** Writes one file after another, and leaves every second end next to the ledger, as if the lock was held too long. */
import { writeSync } from 'node:fs';
import { isGuardError } from '../../../src/core/error.ts';
import { pathKey } from '../../../src/core/keys.ts';
import { asPathState } from '../../../src/core/states.ts';
import { monotonicUs, openClock } from '../../../src/repo/clock.ts';
import { markProcess, openDeaths } from '../../../src/repo/process.ts';
import { leaveLate } from '../../../src/store/late/leave-late.ts';
import { takeIn } from '../../../src/store/late/take-in.ts';
import { openStore } from '../../../src/store/open.ts';
import { operate } from '../../../src/store/operate.ts';
import { busy } from '../../../src/store/told-failure.ts';
import { factsAt, writeOf } from './writing.ts';
import { seeded } from '../../chaos/random.ts';

const PATHS = 3;
const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);

/** What nobody could look at is kept all the same. */
function unlessKept(leave: () => unknown): void {
  try {
    leave();
  } catch (error) {
    if (!isGuardError(error) || error.facts['kept'] !== true) throw error;
  }
}

export function main([dir = '', agent = '', seed = '1']: readonly string[]): void {
  const random = seeded(Number(seed));
  const [now, isDead, proc] = [openClock(), openDeaths(), markProcess(process.pid)];
  const store = openStore({ dir, now, lock_deadline_ms: 20_000, segment_bytes: 20_000, takeIn });
  for (let n = 0; ; n++) {
    const path = `f${random(PATHS)}`;
    const write = writeOf({ agent, proc, op: `${agent}-${n}`, path });
    const begun_us = monotonicUs();
    const seen_touched = asPathState(store.look([pathKey(path)]).get(pathKey(path))).touched;
    const facts = { ...factsAt(now()), isDead };
    const { verdict } = operate(store, write.begin(seen_touched), facts);
    if (verdict !== 'approved') continue;
    say({ op: write.op, path, agent, begun_us });
    const later = { ...facts, now: now() };
    if (random(2) === 0) operate(store, write.end, later);
    else
      unlessKept(() =>
        leaveLate(busy(15_000, null), {
          ...{ state_dir: dir, store, event: write.end, facts: later },
          ...{ id: random(2) === 0 ? `${write.op}.end` : undefined, lock_deadline_ms: 15_000 },
        }),
      );
    say({ op: write.op, ended_us: monotonicUs() });
  }
}
