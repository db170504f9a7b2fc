/**
 * Reading small files that guard did not necessarily write: install.json, guard.config.json, `.git` files.
 * Never blocks on a FIFO or a device, never reads more than it was told to.
 */
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { errnoOf, isAbsent } from './errno.ts';

export type SmallFile =
  | { readonly state: 'text'; readonly text: string }
  | { readonly state: 'missing' }
  /** `reason`: an errno, `not_a_file`, or `too_large`. */
  | { readonly state: 'unreadable'; readonly reason: string };

const ABSENT: SmallFile = { state: 'missing' };

// O_NONBLOCK does not exist on Windows; there is nothing to block on there either.
const READ_FLAGS = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);

function readAll(fd: number, max_bytes: number): SmallFile {
  const stat = fstatSync(fd);
  if (!stat.isFile()) return { state: 'unreadable', reason: 'not_a_file' };
  // Not `max_bytes`: some callers allow 64 MB for what has 200 bytes, and the collector runs for each of those.
  let buffer = Buffer.allocUnsafe(Math.min(stat.size, max_bytes) + 1);
  let length = 0;
  for (;;) {
    const got = readSync(fd, buffer, length, buffer.length - length, null);
    length += got;
    if (length > max_bytes) return { state: 'unreadable', reason: 'too_large' };
    if (got === 0) return { state: 'text', text: buffer.toString('utf8', 0, length) };
    // It grows meanwhile, or does not say its size, as in /proc.
    if (length === buffer.length)
      buffer = Buffer.concat([buffer], Math.min(2 * length + 4096, max_bytes + 1));
  }
}

export function readSmallFile(path: string, max_bytes: number): SmallFile {
  let fd: number;
  try {
    // Before it is opened: opening a device can have effects of its own.
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return ABSENT;
    if (!stat.isFile()) return { state: 'unreadable', reason: 'not_a_file' };
    fd = openSync(path, READ_FLAGS);
  } catch (error) {
    const errno = errnoOf(error);
    return isAbsent(errno) ? ABSENT : { state: 'unreadable', reason: errno };
  }
  try {
    return readAll(fd, max_bytes);
  } catch (error) {
    return { state: 'unreadable', reason: errnoOf(error) };
  } finally {
    closeSync(fd);
  }
}

/** The text of a file, or null when it is missing or cannot be read. */
export function textOf(path: string, max_bytes = 8192): string | null {
  const file = readSmallFile(path, max_bytes);
  return file.state === 'text' ? file.text : null;
}
