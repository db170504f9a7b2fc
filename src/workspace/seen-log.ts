// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The log of what an agent has seen, made shorter; and lines that came while somebody did that. */
import fs from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { SAFELY } from '../repo/safely.ts';
import { alone } from '../store/upkeep.ts';
import { unsealLine } from '../store/sealed-line.ts';

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = fs.constants;

/** Half of what a hook has. */
const PATIENCE_MS = 2_000;

/** With nobody shortening it. What somebody left who was killed while doing that is of no use. */
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
 * It was taken over, or something later was seen of that path meanwhile: once more, and behind that, it would say that the
 * agent knows what it saw before.
 */
function isTold(log: string, line: Uint8Array): boolean {
  const bytes = attempt(() => bytesIn(log), null);
  if (bytes === null) return false;
  const { path, at } = unsealLine(Buffer.from(line).toString()) ?? {};
  const isLater = (last: Readonly<Record<string, unknown>> | null): boolean =>
    last?.['path'] === path && Number(last?.['at']) > Number(at);
  return countingIn(bytes).some((one) => one.equals(line) || isLater(unsealLine(one.toString())));
}

/** Where no more than half of it counts. What cannot be shortened now is looked at again at the next step. */
export function shorten(log: string): void {
  try {
    alone(dirname(log), () => rewrite(log), PATIENCE_MS);
  } catch {
    // As said.
  }
}

function rewrite(log: string): void {
  const before = bytesIn(log);
  if (bytesOf(countingIn(before)) * 2 > before.length) return;
  const aside = `${log}~`;
  fs.rmSync(aside, { force: true });
  try {
    write(aside, O_EXCL, []);
    // Only now: whoever adds a line from here on sees that the log is being replaced.
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

/** Through no link, and no pipe keeps a hook waiting. */
const bytesIn = (log: string): Buffer => fs.readFileSync(log, { flag: SAFELY as unknown as string });

const bytesOf = (lines: readonly Buffer[]): number => lines.reduce((sum, { length }) => sum + length, 0);

/** The last line of every path, and every line that cannot be trusted: it speaks of a path, too. In their order. */
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
