// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What is too old or too much of the windows goes, and up to when that is so is written down. */
import fs from 'node:fs';
import { windowsDir, READ_MAX, readWindow } from './open-windows.ts';
import { sweptUntil, SWEPT_FILE } from './window-history.ts';
import { namesIn } from '../../repo/names-in.ts';

/** As long as a change that nobody looked at yet can be laid to somebody. */
const KEPT_MS = 30 * 60_000;
/** Of what never ended: a client that was killed. */
const OPEN_MS = 24 * 3_600_000;
const FILES_MAX = 256;

interface Aged {
  readonly name: string;
  /** Of its end; of one that is open its begin; of what cannot be read that of the file. */
  readonly at_ms: number;
  readonly is_open: boolean;
}

/** By age and by number; what cannot be read goes by its file's age. */
export function sweepWindows(state_dir: string, now_ms: number): void {
  const dir = windowsDir(state_dir);
  const aged = namesIn(dir)
    .filter((name) => name !== SWEPT_FILE)
    .map((name) => agedIn(dir, name));
  const old = aged.filter(({ is_open, at_ms }) => Math.abs(now_ms - at_ms) > (is_open ? OPEN_MS : KEPT_MS));
  const young = aged.filter((one) => !old.includes(one)).sort((a, b) => b.at_ms - a.at_ms);
  const excess = young.filter(({ is_open }) => !is_open).slice(FILES_MAX);
  const gone = [...new Set([...old, ...excess, ...young.slice(READ_MAX)])];
  // First: who looks between the two must not take what is going for all there was.
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

/** A time to come is of a clock that went back, or forged: about what was before now nothing is known. */
function noteSwept(state_dir: string, gone: readonly Aged[], now_ms: number): void {
  if (gone.length === 0) return;
  const ends = gone.map(({ at_ms, is_open }) => (is_open ? now_ms : Math.min(at_ms, now_ms)));
  const until_ms = Math.max(...ends, Math.min(sweptUntil(state_dir), now_ms));
  fs.writeFileSync(`${windowsDir(state_dir)}/${SWEPT_FILE}`, String(until_ms), { mode: 0o600 });
}
