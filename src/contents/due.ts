/** When the store is to be swept: a stamp beside it, looked at when a session starts, and by some of those that add to it. */
import fs from 'node:fs';
import type { Digest } from '../core/types.ts';
import { contentsDir } from './entry.ts';

const STAMP = '.swept';
const EVERY_MS = 3_600_000;

export function isSweepDue(state_dir: string, wall_ms: number): boolean {
  const dir = contentsDir(state_dir);
  const swept = fs.lstatSync(`${dir}/${STAMP}`, { throwIfNoEntry: false });
  if (swept !== undefined) return Math.abs(wall_ms - swept.mtimeMs) > EVERY_MS;
  return fs.existsSync(dir);
}

export function noteSweep(state_dir: string, wall_ms: number): void {
  const file = `${contentsDir(state_dir)}/${STAMP}`;
  try {
    fs.writeFileSync(file, '', { mode: 0o600 });
    fs.utimesSync(file, wall_ms / 1000, wall_ms / 1000);
  } catch {
    // Swept again next time.
  }
}

/** So many bytes are added on average between two sweeps that additions ask for. */
const STRIDE_BYTES = 8 << 20;
const LEAST = 1 / 512;

/**
 * A long session adds without starting anew. Counting what is there would cost each hook a look at all entries, so chance
 * decides, by the digest: the larger a content, the likelier that it asks for a sweep.
 */
export function asksForSweep(digest: Digest, bytes: number): boolean {
  const draw = Number.parseInt(digest.slice(0, 8), 16) / 0x1_0000_0000;
  return draw < Math.max(bytes / STRIDE_BYTES, LEAST);
}
