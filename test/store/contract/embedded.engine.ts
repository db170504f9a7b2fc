import { openStore } from '../../../src/store/open.ts';
import { clock, makeDir, removeDir } from '../scratch.ts';
import type { Engine } from './engine.ts';

/** Small segments, so that the suite causes rotations. */
const SEGMENT_BYTES = 16 * 1024;

export const engine: Engine = {
  name: 'embedded',
  module: 'test/store/contract/embedded.engine.ts',
  processes: true,
  makePlace: () => Promise.resolve(makeDir()),
  removePlace(place) {
    removeDir(place);
    return Promise.resolve();
  },
  open: (place) =>
    openStore({ dir: place, now: clock(), segment_bytes: SEGMENT_BYTES, lock_deadline_ms: 20_000 }),
};
