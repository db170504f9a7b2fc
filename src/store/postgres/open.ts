/**
 * The shared engine: a PostgreSQL database, version 14 or newer. Rules stay in core; the database only knows keys,
 * versions and text. A look is one query and so is a commit; the functions that answer them are in `migrations/`.
 */
import type { Key } from '../../core/ledger.ts';
import type { Store } from '../store.ts';
import type { PostgresConfig } from './address.ts';
import { openWakes } from './wakes.ts';
import { commitOver } from './commits.ts';
import { schemaDiffers } from './engine-failure.ts';
import { followLog, scanLog } from './follow.ts';
import { referencesFrom } from './references.ts';
import { bytesOfKey } from './key-bytes.ts';
import { dial, type Greeting } from './line.ts';
import { type Answered, listParameters, readLook } from './looks.ts';
import { SCHEMA_VERSION } from './migrations/index.ts';
import { connected } from './connected.ts';
import { parsed } from './parsed.ts';

export type { PostgresConfig } from './address.ts';
export { admitRole, initRepository, migrate } from './migrate.ts';
export { newEpoch } from './new-epoch.ts';

/**
 * @throws GuardError GUARD_ERR_CONFIG; GUARD_ERR_ENGINE_AWAY if it does not answer; GUARD_ERR_ENGINE_ACCESS if it
 *   refuses or cannot be authenticated; GUARD_ERR_ENGINE_VERSION if it lacks the functions that this guard calls
 */
export async function openPostgres(config: PostgresConfig): Promise<Store<'later'>> {
  const line = dial(config);
  const engine = connected(line, config.repository);
  try {
    const { schema, channel } = (await line.call('hello_1', [config.repository]))['hello_1'] as Greeting;
    if (schema < SCHEMA_VERSION) throw schemaDiffers(schema, line.server);
    return storeOf(config, engine, channel);
  } catch (error) {
    await line.end();
    throw error;
  }
}

function storeOf(
  config: PostgresConfig,
  engine: ReturnType<typeof connected>,
  channel: string,
): Store<'later'> {
  const wakes = openWakes(config, channel);
  const look: Store<'later'>['look'] = async (keys, indexes = []) => {
    const asked: readonly Key[] = [...new Set(keys)];
    const follow = referencesFrom(asked);
    const values = [engine.repository, asked.map(bytesOfKey), ...listParameters(indexes), ...follow];
    const { look_2 } = await engine.line.call('look_2', values);
    const answer = parsed(look_2, engine.line.server) as Answered;
    engine.see(answer.top);
    return readLook(answer, asked, indexes);
  };
  return {
    supports: { watch: true, shared: true, durable: true },
    look,
    commit: (read, records, id) => commitOver(engine, read, records, id),
    scan: (from = 0, page) => scanLog(engine, from, page),
    watch: (from, signal) => followLog(engine, wakes, from, signal),
    tip: async () => (await look([])).tip,
    async close() {
      wakes.close();
      await engine.line.end();
    },
  };
}
