/** The bearer token: 256 random bits in a file that only its user can read, created at the first start. */
import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, linkSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { SAFELY } from '../repo/safely.ts';
import { GuardError } from '../core/error.ts';
import { shellWord } from '../core/shell-word.ts';
import { errnoOf } from '../repo/errno.ts';

const TOKEN_BYTES = 32;

/** @throws GuardError GUARD_ERR_LISTEN for a file that others can read, or that contains no token */
export function tokenIn(path: string): string {
  return read(path) ?? make(path);
}

function read(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, SAFELY);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw unusable(path, `cannot be read (${errnoOf(error)})`, error);
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw unusable(path, 'is not a file');
    if (stat.uid !== (process.getuid?.() ?? stat.uid)) throw unusable(path, 'belongs to another user');
    if ((stat.mode & 0o077) !== 0) throw unusable(path, 'can be read by others');
    const token = readFileSync(fd, 'latin1').trim();
    if (!/^[\x21-\x7e]{32,512}$/.test(token)) throw unusable(path, 'contains no token');
    return token;
  } finally {
    closeSync(fd);
  }
}

/** Created completely or not at all; if two do so concurrently, both use the first one's. */
function make(path: string): string {
  const half = `${path}.${randomUUID()}`;
  try {
    writeFileSync(half, `${randomBytes(TOKEN_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    linkSync(half, path);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw unusable(path, `cannot be made (${errnoOf(error)})`, error);
  } finally {
    remove(half);
  }
  const token = read(path);
  if (token === undefined) throw unusable(path, 'was removed while it was made');
  return token;
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never created.
  }
}

const unusable = (path: string, why: string, cause?: unknown): GuardError =>
  new GuardError(
    'GUARD_ERR_LISTEN',
    `The token file ${path} ${why}.`,
    `Run: rm -f ${shellWord(path)} (a new one is created at the next start).`,
    { path },
    cause,
  );
