import { openPostgres, type PostgresConfig } from '../../../src/store/postgres/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { hasPostgres } from '../postgres/programs.ts';
import { newRepositories, sharedCluster, urlOf } from '../postgres/shared.ts';
import type { Engine } from './engine.ts';

/** Opened on first use, because the suite opens stores synchronously. */
export function opened(config: PostgresConfig): Store<'later'> {
  const soon = openPostgres(config);
  soon.catch(() => undefined);
  return {
    supports: { watch: true, shared: true, durable: true },
    look: async (keys, indexes) => (await soon).look(keys, indexes),
    commit: async (read, records, id) => (await soon).commit(read, records, id),
    async *scan(from) {
      yield* (await soon).scan(from);
    },
    async *watch(from, signal) {
      yield* (await soon).watch(from, signal);
    },
    tip: async () => (await soon).tip(),
    close: async () => (await soon).close(),
  };
}

const AT_ONCE = 20;
const ready: string[] = [];

/** An empty repository that nothing has used. */
export async function freshRepository(): Promise<string> {
  if (ready.length === 0) ready.push(...(await newRepositories(await sharedCluster(), AT_ONCE)));
  return ready.pop() ?? '';
}

export const engine: Engine = {
  name: 'PostgreSQL',
  module: 'test/store/contract/postgres.engine.ts',
  processes: true,
  canRun: hasPostgres,
  async makePlace() {
    const cluster = await sharedCluster();
    const repository = await freshRepository();
    return JSON.stringify({ url: urlOf(cluster), repository, deadline_ms: 30_000 } satisfies PostgresConfig);
  },
  removePlace: () => Promise.resolve(),
  open: (place) => opened(JSON.parse(place) as PostgresConfig),
};
