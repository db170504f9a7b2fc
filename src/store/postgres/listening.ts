/** One connection that listens for notifications, opened again whenever it breaks. */
import type pg from 'pg';
import { addressOf, type PostgresConfig } from './address.ts';
import { PlainClient } from './plain-client.ts';

const RETRY_MS = 500;

export interface Closable {
  close(): void;
}

/** Calls `ring` at every notification and whenever the connection is restored. */
export function openListening(config: PostgresConfig, channel: string, ring: () => void): Closable {
  let live: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isOver = false;
  const drop = (client: pg.Client): void => {
    if (live !== client) return;
    live = undefined;
    client.removeAllListeners('notification');
    client.end().catch(() => undefined);
    if (!isOver) retry = setTimeout(listen, RETRY_MS);
  };
  function listen(): void {
    const client = new PlainClient({ ...addressOf(config.direct_url ?? config.url), keepAlive: true });
    live = client;
    client.on('notification', ring);
    client.on('error', () => drop(client));
    client.on('end', () => drop(client));
    client
      .connect()
      .then(() => client.query(`LISTEN ${client.escapeIdentifier(channel)}`))
      .then(ring, () => drop(client));
  }
  listen();
  return {
    close() {
      isOver = true;
      clearTimeout(retry);
      if (live !== undefined) drop(live);
    },
  };
}
