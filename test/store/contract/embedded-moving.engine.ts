/** The embedded engine as one that cannot exclude other writers: between a look and its commit, anything may move. */
import { engine as plain } from './embedded.engine.ts';
import type { Engine } from './engine.ts';

export const engine: Engine = {
  ...plain,
  name: 'embedded, by look and commit',
  module: 'test/store/contract/embedded-moving.engine.ts',
  open(place) {
    const { still, ...store } = plain.open(place);
    if (still === undefined) throw new Error('the engine cannot keep others out as it is');
    return store;
  },
};
