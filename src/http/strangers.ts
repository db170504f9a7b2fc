/**
 * TCP connections that have not shown the token. Any user of the machine can open them, so they have a few separate places
 * and little time, and take no places from those that have shown it. When the places are taken, the oldest is dropped: a
 * client that sends its headers right away is not hindered by any number of half-open connections.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { monotonic } from '../repo/clock.ts';

export interface StrangerLimits {
  /** Limit for connections that have shown the token. */
  readonly connections: number;
  /** Limit for connections that have not. */
  readonly strangers: number;
  /** From the connection to the headers with the token. */
  readonly stranger_ms: number;
}

/** The kernel may hand over this many together (its backlog) before a connection that was cut off here is gone. */
const ARRIVING = 1_024;

/** A timer that is later than this says that the process did nothing else in time either. */
const LATE_MS = 250;

/** `isShown` gets a request's Authorization. Call this before the server's own listener for requests is added. */
export function limitStrangers(
  server: Server,
  isShown: (authorization: string | undefined) => boolean,
  { connections, strangers, stranger_ms }: StrangerLimits,
): void {
  /** In order of arrival, with the timer that ends each. */
  const waiting = new Map<Socket, NodeJS.Timeout>();
  const known = new Set<Socket>();
  const forget = (socket: Socket): void => {
    clearTimeout(waiting.get(socket));
    waiting.delete(socket);
    known.delete(socket);
  };

  server.maxConnections = connections + strangers + ARRIVING;
  server.on('connection', (socket: Socket) => {
    const [oldest] = waiting.keys();
    if (oldest !== undefined && waiting.size >= strangers) {
      forget(oldest);
      oldest.destroy();
    }
    const wait = (): void => {
      const due_ms = monotonic() + stranger_ms;
      // This process was busy meanwhile, with a long ledger or on a loaded machine: what the client sent is not read yet.
      const end = (): void => (monotonic() - due_ms > LATE_MS ? wait() : void socket.destroy());
      waiting.set(socket, setTimeout(end, stranger_ms));
    };
    wait();
    socket.once('close', () => forget(socket));
  });
  server.on('request', ({ socket, headers }: IncomingMessage) => {
    if (!waiting.has(socket) || !isShown(headers.authorization)) return;
    forget(socket);
    if (known.size >= connections) socket.destroy();
    else known.add(socket);
  });
}
