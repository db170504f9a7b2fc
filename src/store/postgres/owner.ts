/** Operations of the database's owner: the schema and the repositories in it. Loads the driver, as does the thread for agents. */
import type { ClientBase } from 'pg';
import { addressOf } from './address.ts';
import { isGuardError } from '../../core/error.ts';
import { engineFailure } from './engine-failure.ts';
import { monotonic } from '../../repo/clock.ts';
import type { EngineHealth } from '../../core/engine-health.ts';
import { healthIn } from './health.ts';
import { PlainClient } from './plain-client.ts';
import { admitRole, initRepository, migrate } from './migrate.ts';
import { type Closed, type Closing, newEpochs } from './new-epoch.ts';

const CONNECT_MS = 10_000;

/** The role that logs in with an address. @throws GuardError GUARD_ERR_CONFIG */
export const loginIn = (url: string): string => String(addressOf(url).user);

export interface Owner {
  /** Returns the resulting schema version. */
  migrate(): Promise<number>;
  mint(id: string, first_lsn: number): Promise<void>;
  admit(id: string, role: string): Promise<void>;
  /** Call after the database was restored to an earlier point. */
  restored(closing: Closing): Promise<Closed>;
  health(): Promise<EngineHealth>;
}

/** @throws GuardError GUARD_ERR_CONFIG, GUARD_ERR_ENGINE_AWAY, GUARD_ERR_ENGINE_ACCESS */
export const asOwner = <T>(url: string, use: (owner: Owner) => Promise<T>): Promise<T> =>
  withOwner(url, (client) =>
    use({
      migrate: () => migrate(client),
      mint: (id, first_lsn) => initRepository(client, { id, first_lsn }),
      admit: (id, role) => admitRole(client, id, role),
      restored: (closing) => newEpochs(client, closing),
      health: () => healthIn(client),
    }),
  );

/** @throws GuardError as `asOwner` does */
export async function withOwner<T>(url: string, use: (client: ClientBase) => Promise<T>): Promise<T> {
  const address = addressOf(url);
  const client = new PlainClient({ ...address, connectionTimeoutMillis: CONNECT_MS });
  const begun_ms = monotonic();
  try {
    await client.connect();
    return await use(client);
  } catch (error) {
    if (isGuardError(error)) throw error;
    throw engineFailure(error, address, monotonic() - begun_ms);
  } finally {
    await client.end().catch(() => undefined);
  }
}
