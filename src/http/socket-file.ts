/**
 * Exclusive use of a socket's name. The server holds flock(2) on `<socket>.lock` as long as it lives: a process that gets
 * it knows that no other server of guard's listens there, and may remove what a dead one left.
 */
import { chmodSync, closeSync, constants, lstatSync, openSync, statSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { GuardError } from '../core/error.ts';
import { errnoOf } from '../repo/errno.ts';
import { chooseFlock } from '../store/flock/flock.ts';
import { fits } from './socket-path.ts';

export interface Claimed {
  /** Accessible only to this user, from the first moment on. */
  bind(listen: () => Promise<void>): Promise<void>;
  /** Removes the socket, and lets others have the name. */
  free(): void;
}

/** @throws GuardError GUARD_ERR_LISTEN if another process listens, or the place is not safe */
export async function claimSocket(path: string): Promise<Claimed> {
  if (!fits(path)) throw refused(path, 'is longer than a socket path may be', 'Give a shorter --socket.');
  checkPlace(path);
  const unlock = lock(path);
  try {
    await removeDead(path);
  } catch (error) {
    unlock();
    throw error;
  }
  return {
    async bind(listen) {
      // The name is created before listen() returns, so it never exists with another mode.
      const before = process.umask(0o177);
      const listening = listen();
      process.umask(before);
      await listening;
      chmodSync(path, 0o600);
    },
    free() {
      remove(path);
      unlock();
    },
  };
}

/** Anyone who may rename in the directory can replace our socket with their own. */
function checkPlace(path: string): void {
  const dir = dirname(path);
  const stat = statSync(dir, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true)
    throw refused(path, 'is in a directory that does not exist', `Make ${dir} first.`);
  const isOthers = (stat.mode & 0o022) !== 0 && (stat.mode & 0o1000) === 0;
  const isForeign = ![0, process.getuid?.() ?? stat.uid].includes(stat.uid);
  if (isOthers || isForeign)
    throw refused(path, 'is in a directory that others can change', 'Choose a directory of your own.');
}

function lock(path: string): () => void {
  const name = `${path}.lock`;
  let fd: number;
  try {
    fd = openSync(name, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  } catch (error) {
    throw refused(
      path,
      `cannot be claimed (${errnoOf(error)} at ${name})`,
      'Choose a directory of your own.',
    );
  }
  const free = chooseFlock().take({ fd, path: name });
  if (free)
    return () => {
      free();
      closeSync(fd);
    };
  closeSync(fd);
  throw live(path);
}

async function removeDead(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isSocket()) throw refused(path, 'exists and is not a socket', 'Choose another --socket.');
  if (await answers(path)) throw live(path);
  remove(path);
}

/** A dead server's socket refuses. Any other outcome, even a full queue, means that someone is there. */
const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT'].includes(errnoOf(error))));
  });

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT')
      throw refused(path, `cannot be removed (${errnoOf(error)})`, 'Remove it, or choose another --socket.');
  }
}

const live = (path: string): GuardError =>
  refused(
    path,
    'is in use by another server',
    'Use that one, end it, or choose another --socket or --no-socket.',
  );

const refused = (path: string, why: string, hint: string): GuardError =>
  new GuardError('GUARD_ERR_LISTEN', `The socket ${path} ${why}.`, hint, { socket: path });
