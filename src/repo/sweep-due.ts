/** When to sweep a directory inside the state directory: decided by a stamp in it, which is checked when a session starts. */
import fs from 'node:fs';
import { SAFELY } from './safely.ts';

const STAMP = '.swept';
const EVERY_MS = 3_600_000;

export function isSweepDue(dir: string, wall_ms: number): boolean {
  const swept = fs.lstatSync(`${dir}/${STAMP}`, { throwIfNoEntry: false });
  if (swept !== undefined) return Math.abs(wall_ms - swept.mtimeMs) > EVERY_MS;
  return fs.existsSync(dir);
}

const { O_WRONLY, O_CREAT } = fs.constants;

export function noteSweep(dir: string, wall_ms: number): void {
  try {
    const fd = fs.openSync(`${dir}/${STAMP}`, O_WRONLY | O_CREAT | SAFELY, 0o600);
    try {
      if (fs.fstatSync(fd).isFile()) fs.futimesSync(fd, wall_ms / 1000, wall_ms / 1000);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    // It will be swept next time.
  }
}
