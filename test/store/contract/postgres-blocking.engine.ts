/** Runs in a separate thread, called by a thread that sleeps until the answer. */
import { openBlocking } from '../../../src/store/blocking/open.ts';
import type { Engine } from './engine.ts';
import { engine as plain } from './postgres.engine.ts';

export const engine: Engine = {
  ...plain,
  name: 'PostgreSQL, for those who wait by blocking',
  module: 'test/store/contract/postgres-blocking.engine.ts',
  async makePlace() {
    const config: unknown = JSON.parse(await plain.makePlace());
    return JSON.stringify({ config, program: `${process.cwd()}/dist/cli/postgres.mjs` });
  },
  open(place) {
    const { config, program } = JSON.parse(place) as { config: unknown; program: string };
    const supports = { watch: true, shared: true, durable: true };
    return openBlocking({ program, config, supports, answer_ms: 40_000 });
  },
};
