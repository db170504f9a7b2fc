import { openStore } from '../../../src/store/open.ts';
import { clock } from '../scratch.ts';
import { engine as plain } from './embedded.engine.ts';
import type { Engine } from './engine.ts';

export const engine: Engine = {
  ...plain,
  name: 'embedded, fsync',
  module: 'test/store/contract/embedded-fsync.engine.ts',
  open: (place) => openStore({ dir: place, now: clock(), durability: 'fsync', lock_deadline_ms: 20_000 }),
};
