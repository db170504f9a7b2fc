/**
 * Connections over TCP that have not shown the token. Any user of the machine can open them, so they have few places of
 * their own and little time, and take none from those who have shown it. When the places are taken the oldest one goes:
 * whoever sends its headers at once is in nobody's way, however many others stay half open.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export interface StrangerLimits {
  /** Connections that have shown the token. */
  readonly connections: number;
  /** Connections that have not. */
  readonly strangers: number;
  /** From the connection to the headers with the token. */
  readonly stranger_ms: number;
}

/** The kernel hands over so many at once (its backlog) before one that was cut off here is gone. */
const ARRIVING = 1_024;

/** Asked for a request's Authorization. Call it before the server's own listener for requests. */
export function limitStrangers(
  server: Server,
  isShown: (authorization: string | undefined) => boolean,
  { connections, strangers, stranger_ms }: StrangerLimits,
): void {
  /** In the order in which they came; with what ends them. */
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
    waiting.set(
      socket,
      setTimeout(() => socket.destroy(), stranger_ms),
    );
    socket.once('close', () => forget(socket));
  });
  server.on('request', ({ socket, headers }: IncomingMessage) => {
    if (!waiting.has(socket) || !isShown(headers.authorization)) return;
    forget(socket);
    if (known.size >= connections) socket.destroy();
    else known.add(socket);
  });
}
