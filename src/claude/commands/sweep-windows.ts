// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Removes windows that are too old or too many, and records the time up to which windows may be missing. */
import fs from 'node:fs';
import { READ_MAX, readWindow } from './open-windows.ts';
import { windowsDir } from './window-names.ts';
import { sweptUntil, SWEPT_FILE } from './window-history.ts';
import { namesIn } from '../../repo/names-in.ts';

/** How long a change that no one has looked at yet can still be attributed. */
const KEPT_MS = 30 * 60_000;
/** For windows that never ended, because the client was killed. */
const OPEN_MS = 24 * 3_600_000;
const FILES_MAX = 256;

interface Aged {
  readonly name: string;
  /** The window's end; its begin if it is still open; the file's time if it cannot be read. */
  readonly at_ms: number;
  readonly is_open: boolean;
}

/** Sweeps by age and by number; an unreadable window by the age of its file. */
export function sweepWindows(state_dir: string, now_ms: number): void {
  const dir = windowsDir(state_dir);
  const aged = namesIn(dir)
    .filter((name) => name !== SWEPT_FILE)
    .map((name) => agedIn(dir, name));
  const old = aged.filter(({ is_open, at_ms }) => Math.abs(now_ms - at_ms) > (is_open ? OPEN_MS : KEPT_MS));
  const young = aged.filter((one) => !old.includes(one)).sort((a, b) => b.at_ms - a.at_ms);
  const excess = young.filter(({ is_open }) => !is_open).slice(FILES_MAX);
  const gone = [...new Set([...old, ...excess, ...young.slice(READ_MAX)])];
  // First, so that a reader between the two steps does not mistake what is left for everything there was.
  noteSwept(state_dir, gone, now_ms);
  for (const { name } of gone) fs.rmSync(`${dir}/${name}`, { force: true });
}

function agedIn(dir: string, name: string): Aged {
  const window = readWindow(`${dir}/${name}`);
  if (window === null) {
    const at_ms = fs.lstatSync(`${dir}/${name}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return { name, at_ms, is_open: false };
  }
  return { name, at_ms: window.until_ms ?? window.since_ms, is_open: window.until_ms === null };
}

/** A future time means a forged window or a clock that was set back: nothing is then known about the time before now. */
function noteSwept(state_dir: string, gone: readonly Aged[], now_ms: number): void {
  if (gone.length === 0) return;
  const ends = gone.map(({ at_ms, is_open }) => (is_open ? now_ms : Math.min(at_ms, now_ms)));
  const until_ms = Math.max(...ends, Math.min(sweptUntil(state_dir), now_ms));
  fs.writeFileSync(`${windowsDir(state_dir)}/${SWEPT_FILE}`, String(until_ms), { mode: 0o600 });
}
