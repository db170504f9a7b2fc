/** One LISTEN connection for everything that waits in this process. Missed notifications are covered by polling. */
import type pg from 'pg';
import { addressOf, type PostgresConfig } from './address.ts';
import { PlainClient } from './plain-client.ts';

const RETRY_MS = 500;

export interface Wakes {
  /** Calls `ring` at every notification and whenever the connection is restored. Returns a function that stops this. */
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
