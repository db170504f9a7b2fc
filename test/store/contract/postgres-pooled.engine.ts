/** Through PgBouncer, each transaction on another connection. The server decides the races, so one process suffices. */
import type { PostgresConfig } from '../../../src/store/postgres/open.ts';
import { hasPooler } from '../postgres/programs.ts';
import { sharedCluster, sharedPooler, urlOf } from '../postgres/shared.ts';
import { engine as plain, freshRepository, opened } from './postgres.engine.ts';
import type { Engine } from './engine.ts';

export const engine: Engine = {
  ...plain,
  name: 'PostgreSQL, through PgBouncer',
  module: 'test/store/contract/postgres-pooled.engine.ts',
  processes: false,
  canRun: hasPooler,
  async makePlace() {
    const [cluster, pooler] = [await sharedCluster(), await sharedPooler()];
    const repository = await freshRepository();
    const config = {
      url: urlOf(pooler),
      direct_url: urlOf(cluster),
      pooled: true,
      repository,
      deadline_ms: 30_000,
    };
    return JSON.stringify(config satisfies PostgresConfig);
  },
  open: (place) => opened(JSON.parse(place) as PostgresConfig),
};
