/** The HTTP servers: limits against clients that send slowly or never finish, and an end that lets open requests finish. */
import { createServer, type Server } from 'node:http';
import type { ListenOptions } from 'node:net';
import { GuardError } from '../core/error.ts';
import { errnoOf } from '../repo/errno.ts';
import type { StrangerLimits } from './strangers.ts';

export interface Limits extends StrangerLimits {
  /** From the connection to the last header. */
  readonly headers_ms: number;
  /** From the first byte of a request to its last. */
  readonly request_ms: number;
  /** A connection without a request. */
  readonly idle_ms: number;
  readonly header_bytes: number;
  /** How long open requests may continue when the server ends. */
  readonly grace_ms: number;
}

export const CONNECTION_LIMITS: Limits = {
  headers_ms: 10_000,
  request_ms: 15_000,
  idle_ms: 30_000,
  header_bytes: 8_192,
  connections: 256,
  strangers: 64,
  stranger_ms: 2_000,
  grace_ms: 3_000,
};

export function makeServer(limits: Limits): Server {
  const server = createServer({
    headersTimeout: limits.headers_ms,
    requestTimeout: limits.request_ms,
    keepAliveTimeout: limits.idle_ms,
    connectionsCheckingInterval: Math.min(1_000, limits.headers_ms / 4),
    maxHeaderSize: limits.header_bytes,
  });
  server.maxConnections = limits.connections;
  return server;
}

/** @throws GuardError GUARD_ERR_LISTEN */
export function listen(server: Server, at: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(notListening(at, error));
    server.once('error', failed);
    server.listen(at, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

function notListening({ host = '', port = 0, path }: ListenOptions, error: Error): GuardError {
  const where = path ?? `${host}:${port}`;
  const inUse = errnoOf(error) === 'EADDRINUSE';
  return new GuardError(
    'GUARD_ERR_LISTEN',
    inUse ? `${where} is in use.` : `${where} cannot be listened on (${errnoOf(error)}).`,
    'Another repository may be served there. Choose --port, --port 0 for a free one, or --no-tcp.',
    { address: where, errno: errnoOf(error) },
    error,
  );
}

const LOOK_MS = 20;

/** Accepts no more connections, and returns when the last request has ended or was cut off. */
export async function endServer(server: Server, grace_ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  const late = setTimeout(() => server.closeAllConnections(), grace_ms);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
