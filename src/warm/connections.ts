/** Accepts only a few events at a time, so that a launcher that would have to wait long does the work itself. */
import type { Server, Socket } from 'node:net';
import { oneBuffer } from '../repo/one-buffer.ts';
import {
  type Answer,
  answerBytes,
  type Environments,
  type HookRequest,
  openEnvironments,
  readRequest,
} from './protocol.ts';

/** The next launcher sends its event while the previous one is being answered. */
const TAKEN_MAX = 4;
/** A launcher that was stopped must not block the others. */
const SEND_MS = 2_000;

export interface Answering {
  readonly greeting: string;
  /** Answers synchronously. */
  readonly answer: (request: HookRequest) => Answer;
}

export function serveConnections(server: Server, { greeting, answer }: Answering): void {
  const environments = openEnvironments();
  const waiting: Socket[] = [];
  const taken = new Set<Socket>();
  const next = (): void => {
    while (taken.size < TAKEN_MAX) {
      const socket = waiting.shift();
      if (socket === undefined) return;
      if (!socket.destroyed) take(socket);
    }
  };
  const take = (socket: Socket): void => {
    taken.add(socket);
    const late = setTimeout(() => socket.destroy(), SEND_MS);
    const chunks: Buffer[] = [];
    let isAnswered = false;
    socket.on('data', (chunk: Buffer) => {
      if (isAnswered) return;
      chunks.push(chunk);
      const request = requestIn(chunks, environments);
      if (request === null) return;
      clearTimeout(late);
      isAnswered = true;
      if (request === 'none') socket.destroy();
      else send(socket, answer(request));
      leave();
    });
    const leave = (): void => {
      clearTimeout(late);
      if (taken.delete(socket)) next();
    };
    socket.once('close', leave);
    socket.write(greeting);
  };
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    waiting.push(socket);
    next();
  });
}

/**
 * If it could not be sent, its launcher runs the event again. Not `end`, which would wait for the launcher's own end: what was
 * written to a socket of this kind can be read after it is closed.
 */
const send = (socket: Socket, answer: Answer): void =>
  void socket.write(answerBytes(answer), (error) => {
    // In the callback itself, it would make an error for a write that has not happened.
    process.nextTick(() => socket.destroy());
    if (!error) answer.sent?.();
  });

/** Null: the request is not complete yet. */
function requestIn(chunks: Buffer[], environments: Environments): HookRequest | 'none' | null {
  const [first] = chunks;
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (first === undefined || bytes < 4 || (first.length >= 4 && bytes < 4 + first.readUInt32BE(0)))
    return null;
  try {
    return readRequest(oneBuffer(chunks), environments);
  } catch {
    return 'none';
  }
}
