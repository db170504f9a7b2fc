/** All processes of a Linux machine, read from /proc. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { parentIn } from '../repo/client-processes.ts';

export interface Row {
  readonly pid: number;
  readonly parent: number;
}

const CHUNK_BYTES = 65_536;

/**
 * Reads '' for what cannot be read, because processes end in the meantime. One buffer serves all files: they report no
 * size, and `readFileSync` would take two of that length for each of several hundred.
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

/** Without dead processes and kernel threads; the latter are half of all processes on a small machine. */
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

/** Decided by its flags, the seventh field after the name. */
const isOfKernel = (stat: string): boolean =>
  (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ', 7)[6]) & KERNEL_THREAD) !== 0;
