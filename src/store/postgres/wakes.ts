/** One LISTEN for all who wait in this process. Whoever misses a ring polls. */
import type pg from 'pg';
import { addressOf, type PostgresConfig } from './address.ts';
import { PlainClient } from './plain-client.ts';

const RETRY_MS = 500;

export interface Wakes {
  /** `ring` is called at every notification, and when the connection is there again. The answer ends that. */
  hang(ring: () => void): () => void;
  close(): void;
}

export function openWakes(config: PostgresConfig, channel: string): Wakes {
  const ringers = new Set<() => void>();
  const ringAll = (): void => ringers.forEach((ring) => ring());
  let live: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  const drop = (client: pg.Client): void => {
    if (live !== client) return;
    live = undefined;
    client.removeAllListeners('notification');
    client.end().catch(() => undefined);
    if (ringers.size > 0) retry = setTimeout(listen, RETRY_MS);
  };
  function listen(): void {
    if (live !== undefined) return;
    const client = new PlainClient({ ...addressOf(config.direct_url ?? config.url), keepAlive: true });
    live = client;
    client.on('notification', ringAll);
    client.on('error', () => drop(client));
    client.on('end', () => drop(client));
    client
      .connect()
      .then(() => client.query(`LISTEN ${client.escapeIdentifier(channel)}`))
      .then(ringAll, () => drop(client));
  }
  function rest(): void {
    clearTimeout(retry);
    if (live !== undefined) drop(live);
  }
  return {
    hang(ring) {
      ringers.add(ring);
      listen();
      return () => {
        ringers.delete(ring);
        if (ringers.size === 0) rest();
      };
    },
    close() {
      ringers.clear();
      rest();
    },
  };
}
