/**
 * Whether git tracks something, read from its index without a git process: in an unpacked archive git's own
 * configuration could make it run anything. Format: gitformat-index(5), versions 2 to 4.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of an entry before its name, by length of an object name: SHA-1, SHA-256. */
const FIXED = [62, 74] as const;

/** `path` itself (a submodule), or anything below it. False where the index cannot be read. */
export function isTracked(git_dir: string, path: string): boolean {
  try {
    const index = readFileSync(join(git_dir, 'index'));
    return FIXED.some((fixed) =>
      names(index, fixed).some((name) => name === path || name.startsWith(`${path}/`)),
    );
  } catch {
    return false;
  }
}

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

/** As in pack files (offset encoding). */
function varint(bytes: Buffer, from: number): [value: number, next: number] {
  let at = from;
  let value = bytes.readUInt8(at) & 0x7f;
  while ((bytes.readUInt8(at++) & 0x80) !== 0) value = ((value + 1) << 7) | (bytes.readUInt8(at) & 0x7f);
  return [value, at];
}
