/**
 * SHA-256 of a file's current content. Opens only regular files, never blocks on one that has turned into something
 * else, uses constant memory above 1 MB, and verifies that the file did not change meanwhile: stat, hash, stat.
 *
 * Up to 1 MB it uses guard's native file, because node:crypto takes 3 to 6 ms to load: 0.6 ms per MB, or 3.4 if the
 * processor has no instructions for it. Without a native file, it uses a small module up to 100 KB and `crypto.hash`
 * above. From 1 MB on, 256 KiB chunks take the same time and no memory (docs/decisions/020, 192).
 */
import { type BigIntStats, closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { GuardError, isGuardError } from '../core/error.ts';
import type { Digest } from '../core/types.ts';
import { SAFELY } from './safely.ts';
import { errnoOf, isAbsent } from './errno.ts';
import { nativeCode } from './native.ts';
import { sha256Small } from './sha256-small.ts';

export interface DiskFact {
  readonly state: 'file' | 'missing' | 'directory' | 'special' | 'unreadable';
  /** Null unless the state is `file`. */
  readonly digest: Digest | null;
  readonly size: number;
  readonly mtime_ms: number;
  readonly ctime_ms: number;
  /** The content that the digest belongs to, if it was requested and the file has at most 16 MiB. */
  readonly bytes?: Buffer;
  /** errno, for `unreadable`. */
  readonly error?: string;
}

export interface DigestOptions {
  /** Called between steps; throws when time has run out. */
  readonly deadline: () => void;
  readonly want_bytes?: boolean;
  /** How many files of about this size the process will hash. Default: 1. */
  readonly digests?: number;
}

const ONE_SHOT_BYTES = 1 << 20;
const CHUNK_BYTES = 256 << 10;
const WANTED_BYTES = 16 << 20;
const TRIES = 3;

const crypto = () => process.getBuiltinModule('node:crypto');

/** Limit for the small module, per process: above it, node:crypto repays the time it takes to load. */
export const SMALL_BYTES = 100 << 10;

/** `crypto.hash` exists since Node 20.12 and 21.7; guard needs 20.19. */
export function digestBytes(bytes: Uint8Array, digests = 1): Digest {
  const short = bytes.length <= ONE_SHOT_BYTES ? nativeCode().sha256?.(bytes) : undefined;
  const small = short ?? (bytes.length * digests <= SMALL_BYTES ? sha256Small(bytes) : null);
  return small ?? crypto().hash('sha256', bytes, 'hex');
}

const VERSION = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;

const isSameVersion = (a: BigIntStats, b: BigIntStats): boolean => VERSION.every((key) => a[key] === b[key]);

/** Reads to the end of the file, or until `buffer` is full. */
function fill(fd: number, buffer: Buffer, deadline: () => void): number {
  let length = 0;
  while (length < buffer.length) {
    deadline();
    const got = readSync(fd, buffer, length, Math.min(CHUNK_BYTES, buffer.length - length), null);
    if (got === 0) break;
    length += got;
  }
  return length;
}

function digestChunks(fd: number, deadline: () => void): Digest {
  const hash = crypto().createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    const length = fill(fd, buffer, deadline);
    hash.update(length === buffer.length ? buffer : buffer.subarray(0, length));
    if (length < buffer.length) return hash.digest('hex');
  }
}

interface Content {
  readonly digest: Digest;
  readonly bytes?: Buffer;
}

/** Null: the file is longer than its size says. */
function readContent(fd: number, size: number, options: DigestOptions): Content | null {
  const wanted = options.want_bytes === true && size <= WANTED_BYTES;
  if (size > ONE_SHOT_BYTES && !wanted) return { digest: digestChunks(fd, options.deadline) };
  // One extra byte, to detect that the file ends where its size says.
  const buffer = Buffer.allocUnsafe(size + 1);
  const length = fill(fd, buffer, options.deadline);
  if (length > size) return null;
  const bytes = buffer.subarray(0, length);
  const digest = digestBytes(bytes, options.digests);
  return options.want_bytes === true ? { digest, bytes } : { digest };
}

/** A single attempt. */
function readOnce(
  real: string,
  before: BigIntStats,
  options: DigestOptions,
): Content | 'changed' | 'endless' {
  const fd = openSync(real, SAFELY);
  try {
    if (!isSameVersion(before, fstatSync(fd, { bigint: true }))) return 'changed';
    const content = readContent(fd, Number(before.size), options);
    // By path, not by descriptor: if another file was renamed over it, it is no longer this file.
    if (!isSameVersion(before, lstatSync(real, { bigint: true }))) return 'changed';
    return content ?? 'endless';
  } finally {
    closeSync(fd);
  }
}

const NO_STAT = { size: 0n, mtimeMs: 0n, ctimeMs: 0n };

function factOf(state: DiskFact['state'], stat: BigIntStats | null): DiskFact {
  const { size, mtimeMs, ctimeMs } = stat ?? NO_STAT;
  return { state, digest: null, size: Number(size), mtime_ms: Number(mtimeMs), ctime_ms: Number(ctimeMs) };
}

function lookOnce(real: string, options: DigestOptions): DiskFact | null {
  let stat: BigIntStats | null = null;
  try {
    stat = lstatSync(real, { bigint: true });
    if (stat.isDirectory()) return factOf('directory', stat);
    // A canonical path is not a link; if it has become one since, it leads to an unknown file.
    if (stat.isSymbolicLink()) return { ...factOf('unreadable', stat), error: 'ELOOP' };
    if (!stat.isFile()) return factOf('special', stat);
    const content = readOnce(real, stat, options);
    if (content === 'changed') return null;
    // More bytes than its size, yet unchanged: the kernel generates the content as it is read (/proc).
    return content === 'endless' ? factOf('special', stat) : { ...factOf('file', stat), ...content };
  } catch (error) {
    // By code: the deadline's error may come from another bundle, which has its own class.
    if (isGuardError(error)) throw error;
    const errno = errnoOf(error);
    if (!isAbsent(errno)) return { ...factOf('unreadable', stat), error: errno };
    // It existed a moment ago and may be in the middle of being replaced, so look again.
    return stat === null ? factOf('missing', null) : null;
  }
}

/** Throws GUARD_ERR_UNSTABLE if the file changes during three attempts, and whatever `deadline` throws. */
export function digestFile(real: string, options: DigestOptions): DiskFact {
  for (let tries = 0; tries < TRIES; tries++) {
    options.deadline();
    const fact = lookOnce(real, options);
    if (fact !== null) return fact;
  }
  throw new GuardError(
    'GUARD_ERR_UNSTABLE',
    `${JSON.stringify(real)} changed ${TRIES} times while being read.`,
    'Wait for its writer to finish, then try again.',
    { path: real },
  );
}
