/** Whether a person is at the other end. */
import { fstatSync, statSync } from 'node:fs';
import { isatty } from 'node:tty';
import { attempt } from '../core/attempt.ts';

/** node:tty loads sockets, 4 to 5 ms; for a pipe, a file or /dev/null, the type says enough. */
export const isTerminal = (fd: number): boolean => attempt(() => isDevice(fd), false) && isatty(fd);

function isDevice(fd: number): boolean {
  const stats = fstatSync(fd);
  return stats.isCharacterDevice() && stats.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}
