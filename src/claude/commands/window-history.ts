/** The windows of commands as proof: what is known about who was at work, and since when the history is complete. */
import fs from 'node:fs';
import { textOf } from '../../repo/small-file.ts';
import { READ_MAX, readListed, type WindowFile } from './open-windows.ts';
import { listWindows, windowsDir } from './window-names.ts';

/** Stored next to the windows: the end of the newest window that was swept. */
export const SWEPT_FILE = 'swept';

export interface WindowHistory {
  readonly windows: readonly WindowFile[];
  /** For changes after this time, `windows` contains every command that was running. */
  readonly after_ms: number;
  /** From this time on, some agent's window cannot be read. */
  readonly before_ms: number;
}

export function historyIn(state_dir: string): WindowHistory {
  const dir = windowsDir(state_dir);
  const names = listWindows(state_dir).all;
  if (names.length > READ_MAX) return { windows: [], after_ms: Infinity, before_ms: 0 };
  const read = names.map((name) => ({ name, window: readListed(`${dir}/${name}`) }));
  const damaged = read.filter(({ window }) => window === null).map(({ name }) => madeAt(`${dir}/${name}`));
  return {
    windows: read.flatMap(({ window }) => window ?? []),
    after_ms: sweptUntil(state_dir),
    before_ms: Math.min(Infinity, ...damaged),
  };
}

/** 0 if nothing was swept, and infinity if the file cannot be read, because anything may have been. */
export function sweptUntil(state_dir: string): number {
  const text = textOf(`${windowsDir(state_dir)}/${SWEPT_FILE}`);
  if (text === null) return 0;
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Infinity;
}

/** A window is written when its command begins, and again at its end. A missing file has been swept. */
function madeAt(file: string): number {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return stat === undefined
    ? Infinity
    : Math.min(stat.birthtimeMs || stat.ctimeMs, stat.mtimeMs, stat.ctimeMs);
}
