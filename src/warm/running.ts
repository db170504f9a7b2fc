/** Which servers answer the hooks of a repository. */
import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { basename } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { textOf } from '../repo/small-file.ts';
import { chooseFlock } from '../store/flock/flock.ts';
import { socketsIn, warmDir } from './place.ts';
import { greetedBy, stopBytes } from './protocol.ts';

export interface RunningServer {
  readonly build: string;
  readonly pid: number | null;
}

/** Recognised by the locks that they hold as long as they live. */
export const runningServers = (state_dir: string): readonly RunningServer[] =>
  socketsIn(state_dir)
    .filter((socket) => isHeld(`${socket}.lock`))
    .map((socket) => ({
      build: basename(socket, '.sock'),
      pid: Number(textOf(socket.replace(/sock$/, 'pid'), 64)) || null,
    }));

function isHeld(path: string): boolean {
  const fd = attempt(() => openSync(path, 'r+'), null);
  if (fd === null) return false;
  try {
    const free = chooseFlock().take({ fd, path });
    free?.();
    return !free;
  } finally {
    closeSync(fd);
  }
}

const LIMIT_MS = 5_000;

/** Returns the pids of the servers that are now ending. Changes the working directory: a socket's address has at most 103 bytes. */
export async function stopServers(state_dir: string): Promise<readonly number[]> {
  const sockets = socketsIn(state_dir);
  if (sockets.length > 0) process.chdir(warmDir(state_dir));
  const pids = await Promise.all(sockets.map((path) => stop(basename(path))));
  return pids.filter((pid) => pid !== null);
}

const stop = (path: string): Promise<number | null> =>
  new Promise((resolve) => {
    let pid: number | null = null;
    const socket = connect(path);
    socket.setTimeout(LIMIT_MS, () => socket.destroy());
    socket.once('data', (chunk: Buffer) => {
      pid = greetedBy(chunk.toString('latin1'));
      if (pid !== null) socket.write(stopBytes());
    });
    socket.on('error', () => socket.destroy());
    socket.once('close', () => resolve(pid));
  });
