/** Files that are there whole or not at all, after a crash too. */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { attempt } from '../../core/attempt.ts';

/** Under its own name at once: for directories that nobody looks into yet. */
export function writeWhole(file: string, content: string | Uint8Array, mode: number): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const fd = openSync(file, 'wx', mode);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Renamed into place; nothing is written where the content is there already. */
export function replaceFile(file: string, content: string, mode = 0o644): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  const temporary = `${file}.${randomUUID()}.tmp`;
  writeWhole(temporary, content, mode);
  renameSync(temporary, file);
}

/** The same with a link to `target`. */
export function replaceLink(file: string, target: string): void {
  if (attempt(() => readlinkSync(file), '') === target) return;
  const temporary = `${file}.${randomUUID()}.tmp`;
  symlinkSync(target, temporary);
  renameSync(temporary, file);
}

/** A name in it lasts from here on. Some systems cannot open directories. */
export function settleDir(dir: string): void {
  try {
    const fd = openSync(dir, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Then the rename alone must do.
  }
}
