/**
 * flock(2) through open(2): macOS and the BSDs take the lock with O_EXLOCK, so no native code is needed there.
 * Node passes numeric flags through unchanged.
 */
import { constants, fstatSync, openSync } from 'node:fs';
import { close } from '../embedded/files.ts';
import { knownErrno } from '../failure.ts';
import type { Flock } from './provider.ts';

/** From <fcntl.h> of Darwin, FreeBSD, OpenBSD and NetBSD. On Linux the bit means something else. */
const O_EXLOCK = 0x20;
const SYSTEMS = ['darwin', 'freebsd', 'openbsd', 'netbsd'];

export function exlock(): Flock | undefined {
  if (!SYSTEMS.includes(process.platform)) return undefined;
  return {
    name: 'exlock',
    take({ fd, path }) {
      let held: number;
      try {
        held = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK | O_EXLOCK);
      } catch (error) {
        if (['EAGAIN', 'EWOULDBLOCK'].includes(knownErrno(error) ?? '')) return undefined;
        throw error;
      }
      if (fstatSync(held).ino !== fstatSync(fd).ino) {
        close(held);
        return null;
      }
      return () => close(held);
    },
  };
}
