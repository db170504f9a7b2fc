/**
 * Whether git tracks something, read from its index without running git: in an unpacked archive, git's own
 * configuration could make it run anything. Format: gitformat-index(5), versions 2 to 4.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { errnoOf, isAbsent } from '../errno.ts';

/** Bytes of an entry before its name, for SHA-1 and for SHA-256 object names. */
const FIXED = [62, 74] as const;

/** Whether `path` itself (a submodule) or anything below it is tracked. False if the index cannot be read. */
export const isInGitIndex = (git_dir: string, path: string): boolean =>
  attempt(() => {
    const index = readFileSync(join(git_dir, 'index'));
    return FIXED.some((fixed) =>
      names(index, fixed).some((name) => name === path || name.startsWith(`${path}/`)),
    );
  }, false);

/** Which of these paths (relative to the root, as on disk) git tracks. Null: the index cannot tell. */
export function trackedAmong(git_dir: string, paths: ReadonlySet<string>): ReadonlySet<string> | null {
  const index = indexOf(git_dir);
  if (index === 'none') return new Set();
  if (index === null || index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return null;
  const found =
    version === 4 ? amongAll(index, paths) : new Set([...paths].filter((path) => isIn(index, path)));
  // The missing ones may be in the file that a split index shares.
  return found.size < paths.size && isSplit(git_dir) ? null : found;
}

function indexOf(git_dir: string): Buffer | 'none' | null {
  try {
    return readFileSync(join(git_dir, 'index'));
  } catch (error) {
    return isAbsent(errnoOf(error)) ? 'none' : null;
  }
}

function amongAll(index: Buffer, paths: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(FIXED.flatMap((fixed) => names(index, fixed)));
  return new Set([...paths].filter((path) => all.has(Buffer.from(path).toString('latin1'))));
}

/** Versions 2 and 3 store complete names after their length, each entry aligned to eight bytes, so the name is searched for. */
function isIn(index: Buffer, path: string): boolean {
  const name = Buffer.from(`${path}\0`);
  const length = Math.min(name.length - 1, 0xfff);
  for (let at = index.indexOf(name); at !== -1; at = index.indexOf(name, at + 1)) {
    const isEntry = FIXED.some((fixed) =>
      [0, 2].some((more) => {
        const flags = at - more - 2;
        if (flags < 12 || (at - more - fixed - 12) % 8 !== 0) return false;
        const word = index.readUInt16BE(flags);
        return (word & 0xfff) === length && ((word & 0x4000) !== 0) === (more === 2);
      }),
    );
    if (isEntry) return true;
  }
  return false;
}

const isSplit = (git_dir: string): boolean =>
  attempt(() => readdirSync(git_dir).some((name) => name.startsWith('sharedindex.')), true);

function names(index: Buffer, fixed: number): string[] {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return [];
  const found: string[] = [];
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0 && at + fixed < index.length; left--) {
    const start = at;
    const isExtended = (index.readUInt16BE(at + fixed - 2) & 0x4000) !== 0;
    at += fixed + (isExtended ? 2 : 0);
    let kept = '';
    if (version === 4) {
      const [strip, next] = varint(index, at);
      const before = found.at(-1) ?? '';
      if (strip > before.length) return found;
      kept = before.slice(0, before.length - strip);
      at = next;
    }
    const end = index.indexOf(0, at);
    if (end === -1) return found;
    found.push(kept + index.toString('latin1', at, end));
    at = version === 4 ? end + 1 : start + (Math.floor((end - start) / 8) + 1) * 8;
  }
  return found;
}

/** Offset encoding, as in pack files. */
function varint(bytes: Buffer, from: number): [value: number, next: number] {
  let at = from;
  let value = bytes.readUInt8(at) & 0x7f;
  while ((bytes.readUInt8(at++) & 0x80) !== 0) value = ((value + 1) << 7) | (bytes.readUInt8(at) & 0x7f);
  return [value, at];
}
