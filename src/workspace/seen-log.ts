// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Shortens the log of what an agent has seen, and adds lines that were written while that was happening. */
import fs from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { SAFELY } from '../repo/safely.ts';
import { alone } from '../store/upkeep.ts';
import { unsealLine } from '../store/sealed-line.ts';

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = fs.constants;

/** Half of a hook's time. */
const PATIENCE_MS = 2_000;

/** Adds a line while no process is shortening the log. Remains of one that was killed are removed. */
export function addAlone(log: string, line: Uint8Array): void {
  fs.mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  alone(
    dirname(log),
    () => {
      fs.rmSync(`${log}~`, { force: true });
      if (!isTold(log, line)) write(log, O_APPEND, [line]);
    },
    PATIENCE_MS,
  );
}

/**
 * Whether the line was carried over, or the path was seen again later. Adding it once more in the latter case would
 * replace the newer baseline with the older one.
 */
function isTold(log: string, line: Uint8Array): boolean {
  const bytes = attempt(() => bytesIn(log), null);
  if (bytes === null) return false;
  const { path, at } = unsealLine(Buffer.from(line).toString()) ?? {};
  const isLater = (last: Readonly<Record<string, unknown>> | null): boolean =>
    last?.['path'] === path && Number(last?.['at']) > Number(at);
  return countingIn(bytes).some((one) => one.equals(line) || isLater(unsealLine(one.toString())));
}

/** Shortens the log if at most half of it counts. If that is not possible now, the next step tries again. */
export function shorten(log: string): void {
  try {
    alone(dirname(log), () => rewrite(log), PATIENCE_MS);
  } catch {
    // See above.
  }
}

function rewrite(log: string): void {
  const before = bytesIn(log);
  if (bytesOf(countingIn(before)) * 2 > before.length) return;
  const aside = `${log}~`;
  fs.rmSync(aside, { force: true });
  try {
    write(aside, O_EXCL, []);
    // Read only now: a process that adds a line from here on sees that the log is being replaced.
    write(aside, O_APPEND, countingIn(bytesIn(log)));
    fs.renameSync(aside, log);
  } catch (error) {
    fs.rmSync(aside, { force: true });
    throw error;
  }
}

function write(file: string, flags: number, lines: readonly Uint8Array[]): void {
  const fd = fs.openSync(file, O_WRONLY | O_CREAT | SAFELY | flags, 0o600);
  try {
    const bytes = Buffer.concat(lines);
    if (fs.writeSync(fd, bytes) !== bytes.length)
      throw Object.assign(new Error(`${file} could not be written whole`), { code: 'ENOSPC' });
    if (lines.length > 1) fs.fdatasyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Follows no link, and does not block on a pipe. */
const bytesIn = (log: string): Buffer => fs.readFileSync(log, { flag: SAFELY as unknown as string });

const bytesOf = (lines: readonly Buffer[]): number => lines.reduce((sum, { length }) => sum + length, 0);

/** The last line of each path, and every line that cannot be trusted, because it is about some path too. In order. */
function countingIn(bytes: Buffer): readonly Buffer[] {
  const counting = new Map<string, Buffer>();
  for (let start = 0, end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start)) {
    const line = bytes.subarray(start, end + 1);
    const { path } = unsealLine(line.toString()) ?? {};
    const key = typeof path === 'string' ? `=${path}` : `?${start}`;
    counting.delete(key);
    counting.set(key, line);
  }
  return [...counting.values()];
}
