/** All processes of a Linux machine, as /proc has them. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { parentIn } from '../repo/client-processes.ts';

export interface Row {
  readonly pid: number;
  readonly parent: number;
}

const CHUNK_BYTES = 65_536;

/**
 * '' for what cannot be read: processes end while one looks. One buffer for all files, which have no size: `readFileSync`
 * takes two of that length for each of several hundred.
 */
export function procReader(): (file: string) => string {
  const bytes = Buffer.allocUnsafe(CHUNK_BYTES);
  return (file) => attempt(() => textOf(file, bytes), '');
}

function textOf(file: string, bytes: Buffer): string {
  const fd = openSync(file, 'r');
  try {
    let text = '';
    for (let size = readSync(fd, bytes); size > 0; size = readSync(fd, bytes))
      text += bytes.toString('latin1', 0, size);
    return text;
  } finally {
    closeSync(fd);
  }
}

/** Without those that are dead, and without what the kernel runs for itself, which is half of all on a small machine. */
export const rowsOfProc = (read: (file: string) => string): Row[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = read(`/proc/${name}/stat`);
      return stat === '' || /^\d+ \(.*\) [ZX]/s.test(stat) || isOfKernel(stat)
        ? []
        : [{ pid: Number(name), parent: parentIn(stat) }];
    });

/** PF_KTHREAD of the kernel's <linux/sched.h>. */
const KERNEL_THREAD = 0x20_00_00;

/** By its flags, the seventh field behind the name. */
const isOfKernel = (stat: string): boolean =>
  (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ', 7)[6]) & KERNEL_THREAD) !== 0;
