import { readNow } from '../../src/repo/clock.ts';
import { openStore } from '../../src/store/open.ts';
import type { Scratch } from '../claude/driver.ts';

/** Fills the ledger until a new segment begins. */
export function fillSegment(at: Scratch): void {
  const store = openStore({ dir: at.state, now: readNow, segment_bytes: 4_000 });
  for (let n = 0; n < 4; n++) {
    const { tip } = store.look([]);
    const body = {
      type: 'filler',
      agent: 'guard',
      ts_ms: readNow().wall_ms,
      s: { [`path:x${n}`]: null },
      pad: ' '.repeat(2_000),
    };
    store.commit({ tip, keys: new Map(), lists: [] }, [body]);
  }
  store.close();
}
