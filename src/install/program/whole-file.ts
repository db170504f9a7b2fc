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
  writeFileSync,
} from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';

/** Under its own name at once: for directories that nobody looks into yet. */
export const writeWhole = (file: string, content: string | Uint8Array, mode: number): void =>
  writeFileSync(file, content, { flag: 'wx', mode, flush: true });

/** Renamed into place; nothing is written where the content is there already. */
export function replaceFile(file: string, content: string, mode = 0o644): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  replaceWhole(file, content, { mode, flush: true });
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
