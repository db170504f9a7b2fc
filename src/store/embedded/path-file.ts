/**
 * The file `paths`: a cache, next to the index, of the sorted keys of all paths that have a state. It begins with a
 * head that says which ledger it belongs to, how far it has come and where its blocks are. The blocks follow, each a
 * JSON list, then one line for each batch of changes. Everything has a checksum and is only read when needed.
 */
import { constants, renameSync, writeSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { Key, Lsn } from '../../core/ledger.ts';
import { crc32, hex8 } from '../crc32.ts';
import { close, openFile, type OpenFile, removeFile } from './files.ts';
import type { KeyBlock, SortedKeys } from './sorted-keys.ts';
import { readAt } from './walk.ts';

export const PATHS_NAME = 'paths';
const SCRATCH = 'paths.tmp';
const FORMAT = 2;
/** About 15 KB: read and parsed in 0.1 ms. */
const BLOCK_KEYS = 256;
const USUAL_HEAD_BYTES = 16 * 1024;
const ADDED_MAX_BYTES = 64 * 1024;
const ADDED_LEAST_BYTES = 1024;

/** How far the keys go, and in which ledger. */
export interface PathsEnd {
  readonly home: number;
  readonly first: Lsn;
  readonly applied: Lsn;
  /** crc of the record that ends at `applied`. */
  readonly tip: number;
}

interface Head extends PathsEnd {
  readonly v: number;
  /** For each block: its first key, its length in bytes and their checksum. */
  readonly blocks: readonly (readonly [Key, number, number])[];
}

interface Added extends Pick<PathsEnd, 'applied' | 'tip'> {
  /** Where the file ended when this was added. If others have appended or rewritten the file since, the line is ignored. */
  readonly from: Lsn;
  readonly keys: readonly (readonly [Key, boolean])[];
}

export interface StoredPaths {
  readonly sorted: SortedKeys;
  readonly end: PathsEnd;
  /** Bytes of changes that may still be added before the file is rewritten. */
  readonly room_bytes: number;
}

const sumOf = (text: string): number => crc32(Buffer.from(text));
const lineOf = (value: object): string => {
  const text = JSON.stringify(value);
  return `${hex8(sumOf(text))} ${text}\n`;
};

function valueOf(line: string): unknown {
  const text = line.slice(9);
  return line.slice(0, 8) === hex8(sumOf(text)) ? JSON.parse(text) : undefined;
}

function headIn(fd: number): { readonly head: Head; readonly bytes: number } | undefined {
  for (let length = USUAL_HEAD_BYTES; ; length *= 8) {
    const bytes = readAt(fd, 0, 0, length);
    const end = bytes.indexOf(10);
    if (end < 0 && bytes.length === length) continue;
    const head = end < 0 ? undefined : (valueOf(bytes.toString('utf8', 0, end)) as Head | undefined);
    return head?.v === FORMAT ? { head, bytes: end + 1 } : undefined;
  }
}

/** Every listing reads all the changes, so they may only grow with the size of the file. */
const roomBeside = (bytes: number): number => Math.min(ADDED_MAX_BYTES, ADDED_LEAST_BYTES + bytes / 8);

/** Undefined if it cannot be read. `fd` must stay open, because blocks are read later. */
export function readPaths({ fd, size }: OpenFile): StoredPaths | undefined {
  const found = headIn(fd);
  if (found === undefined) return undefined;
  let at = found.bytes;
  const blocks = found.head.blocks.map(([first, bytes, sum]): KeyBlock => {
    const from = at;
    at += bytes;
    let keys: readonly Key[] | undefined;
    return { first, keys: () => (keys ??= blockAt(fd, from, bytes, sum)) };
  });
  let { applied, tip } = found.head;
  const changes = new Map<Key, boolean>();
  for (const line of readAt(fd, 0, at, Math.max(0, size - at))
    .toString('utf8')
    .split('\n')) {
    const added = valueOf(line) as Added | undefined;
    if (added === undefined) break;
    if (added.from !== applied) continue;
    for (const [key, isThere] of added.keys) changes.set(key, isThere);
    ({ applied, tip } = added);
  }
  const { home, first } = found.head;
  return {
    sorted: { blocks, changes },
    end: { home, first, applied, tip },
    room_bytes: roomBeside(at) - (size - at),
  };
}

function blockAt(fd: number, from: number, length: number, sum: number): readonly Key[] {
  const bytes = readAt(fd, 0, from, length);
  if (bytes.length !== length || crc32(bytes) !== sum) throw new Error('a block of paths is damaged');
  return JSON.parse(bytes.toString('utf8')) as Key[];
}

/** Rewrites the file, under the ledger's lock. If that fails, the next writer tries again. Returns the room for changes. */
export function writePaths(dir: string, keys: readonly Key[], end: PathsEnd): number {
  const texts: string[] = [];
  const blocks: [Key, number, number][] = [];
  for (let at = 0; at < keys.length; at += BLOCK_KEYS) {
    const text = JSON.stringify(keys.slice(at, at + BLOCK_KEYS));
    texts.push(text);
    blocks.push([keys[at] ?? '', Buffer.byteLength(text), sumOf(text)]);
  }
  const head: Head = { v: FORMAT, ...end, blocks };
  return attempt(() => {
    removeFile(`${dir}/${SCRATCH}`);
    const bytes = put(dir, SCRATCH, constants.O_CREAT | constants.O_EXCL, lineOf(head) + texts.join(''));
    renameSync(`${dir}/${SCRATCH}`, `${dir}/${PATHS_NAME}`);
    return roomBeside(bytes);
  }, 0);
}

/** Returns the number of bytes written; 0 if that failed. */
export const addToPaths = (dir: string, added: Added): number =>
  attempt(() => put(dir, PATHS_NAME, constants.O_APPEND, lineOf(added)), 0);

/** @throws the system's error, including for a full disk */
function put(dir: string, name: string, flags: number, text: string): number {
  const { fd } = openFile(dir, name, constants.O_RDWR | flags);
  try {
    const bytes = Buffer.from(text);
    if (writeSync(fd, bytes) !== bytes.length) throw new Error('short write');
    return bytes.length;
  } finally {
    close(fd);
  }
}
