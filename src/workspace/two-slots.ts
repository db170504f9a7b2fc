/**
 * A text in a file with two slots: each write goes over the older one, in place, and a reader takes the newest that is whole. So a
 * process that is killed while it writes leaves the text before. A file that replaces another costs 110 us of CPU and, on ext4,
 * waits until the file system has written it (auto_da_alloc); a write in place costs 6. For files with one writer at a time: of
 * two that write at once, one counts.
 */
import fs from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { replaceWithin } from '../repo/replace-whole.ts';
import { SAFELY } from '../repo/safely.ts';
import { crc32, hex8 } from '../store/crc32.ts';

/** Where the newest text is. */
export interface Slot {
  readonly seq: number;
  readonly at: number;
  /** The size of each of the two. */
  readonly bytes: number;
}

export interface SlotText extends Slot {
  readonly text: string;
}

/** `<crc32> <sequence number> <text>\n`, and what is left of an older text. */
const SEQ_AT = 9;
const SEQ_DIGITS = 12;
const TEXT_AT = SEQ_AT + SEQ_DIGITS + 1;
const NEWLINE = 10;
const LEAST_BYTES = 2_048;

/** Null if there is no such file, or nothing in it is whole. */
export const readSlots = (file: string, max_bytes: number): SlotText | null =>
  attempt(() => {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat?.isFile() !== true || stat.size > max_bytes) return null;
    const whole = fs.readFileSync(file, { flag: SAFELY as unknown as string });
    const bytes = whole.length >> 1;
    const seqOf = (at: number): number =>
      Number(whole.toString('latin1', at * bytes + SEQ_AT, at * bytes + TEXT_AT));
    const [newest, other] = seqOf(0) > seqOf(1) ? ([0, 1] as const) : ([1, 0] as const);
    return slotAt(whole, newest, seqOf(newest)) ?? slotAt(whole, other, seqOf(other));
  }, null);

function slotAt(whole: Buffer, at: number, seq: number): SlotText | null {
  const bytes = whole.length >> 1;
  const slot = whole.subarray(at * bytes, (at + 1) * bytes);
  const end = slot.indexOf(NEWLINE);
  if (end < TEXT_AT || slot.toString('latin1', 0, SEQ_AT - 1) !== hex8(crc32(slot, SEQ_AT, end))) return null;
  return { seq, at, bytes, text: slot.toString('utf8', TEXT_AT, end) };
}

/**
 * @param text without a line end
 * @param last where the newest text was when it was read
 * @throws the system's error; then the text before it is still there
 */
export function writeSlots(dir: string, name: string, text: string, last: Slot | null): void {
  const seq = (last?.seq ?? 0) + 1;
  const sealed = Buffer.from(`00000000 ${String(seq).padStart(SEQ_DIGITS, '0')} ${text}\n`);
  sealed.write(hex8(crc32(sealed, SEQ_AT, sealed.length - 1)), 'latin1');
  if (last !== null && sealed.length <= last.bytes && isWritten(`${dir}/${name}`, sealed, last)) return;
  let bytes = LEAST_BYTES;
  while (bytes < sealed.length) bytes *= 2;
  const whole = Buffer.alloc(2 * bytes);
  sealed.copy(whole);
  replaceWithin(dir, name, whole);
}

/** False if it is no longer the file that was read, or has a second name: that one's content must stay. */
function isWritten(file: string, sealed: Buffer, last: Slot): boolean {
  const fd = attempt(() => fs.openSync(file, fs.constants.O_WRONLY | SAFELY), -1);
  if (fd < 0) return false;
  try {
    const { size, nlink } = fs.fstatSync(fd);
    if (size !== 2 * last.bytes || nlink !== 1) return false;
    return fs.writeSync(fd, sealed, 0, sealed.length, (1 - last.at) * last.bytes) === sealed.length;
  } finally {
    fs.closeSync(fd);
  }
}
