/** Writes files that are complete or absent, even after a crash. */
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

/** Written directly under its final name, for directories that no one reads yet. */
export const writeWhole = (file: string, content: string | Uint8Array, mode: number): void =>
  writeFileSync(file, content, { flag: 'wx', mode, flush: true });

/** Renamed into place; nothing is written if the content is already there. */
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

/** Makes names in the directory durable. Some systems cannot open directories. */
export function settleDir(dir: string): void {
  try {
    const fd = openSync(dir, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Then the rename alone has to do.
  }
}
