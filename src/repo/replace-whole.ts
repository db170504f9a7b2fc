/**
 * Replaces a file atomically: writes the new one next to it, then renames it, so that a reader sees either the old or
 * the new one, complete. If the process is killed in between, the file it leaves is harmless.
 */
import fs from 'node:fs';

export interface Replacing {
  /** Default: readable by this user only. */
  readonly mode?: number;
  /** Sync the content before the rename, for what must survive a power loss. */
  readonly flush?: boolean;
  /** Name of the temporary file, in the same directory. Default: a name that no other process uses. */
  readonly aside?: string;
  /** Called after writing and before the rename; if it throws, the file stays unchanged. */
  readonly ready?: (aside: string) => void;
}

/** @throws the system's error, or that of `ready`; then the file is unchanged and no temporary file is left */
export function replaceWhole(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600, flush = false, aside = besides(file), ready }: Replacing = {},
): void {
  try {
    write(aside, typeof content === 'string' ? Buffer.from(content) : content, mode, flush);
    ready?.(aside);
    fs.renameSync(aside, file);
  } catch (error) {
    fs.rmSync(aside, { force: true });
    throw error;
  }
}

/** Not `fs.writeFileSync`, which a cold process first has to compile (0.07 ms), and the functions used here it has anyway. */
function write(file: string, bytes: Uint8Array, mode: number, flush: boolean): void {
  const fd = fs.openSync(file, NEW, mode);
  try {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(fs.writeSync(fd, rest));
    if (flush) fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

const NEW = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL;

/** Processes in two containers may have the same pid, so the time is part of the name. */
const besides = (file: string): string => `${file}.${process.pid}.${process.hrtime.bigint()}.tmp`;

/** The same, but creates a missing directory, for this user only. `recursive`: its parents too. */
export function replaceWithin(
  dir: string,
  name: string,
  content: string | Uint8Array,
  recursive = false,
): void {
  try {
    replaceWhole(`${dir}/${name}`, content);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    fs.mkdirSync(dir, { recursive, mode: 0o700 });
    replaceWhole(`${dir}/${name}`, content);
  }
}
