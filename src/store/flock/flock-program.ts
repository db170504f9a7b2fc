/**
 * flock(2) through the flock program of util-linux or BusyBox, on an inherited descriptor: the lock belongs
 * to the open file description, so we keep it after the program has ended. Run by absolute path only, and
 * trusted only if the kernel confirms the lock: a fake program must not make us run unlocked.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Flock } from './provider.ts';

const PLACES = ['/usr/bin/flock', '/bin/flock', '/usr/local/bin/flock', '/run/current-system/sw/bin/flock'];
const INHERITED_FD = 3;
/** Exit code of util-linux and BusyBox if another process holds the lock. */
const HELD = 1;

/** Whether the kernel says that this process holds a lock through `fd`. */
function confirmed(fd: number): boolean {
  return /^lock:.*FLOCK\s+ADVISORY\s+WRITE/m.test(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'));
}

export function flockProgram(): Flock | undefined {
  const program = process.platform === 'linux' ? PLACES.find((place) => existsSync(place)) : undefined;
  if (program === undefined) return undefined;
  return {
    name: 'flock',
    take({ fd }) {
      const { spawnSync } = process.getBuiltinModule('node:child_process');
      const ran = spawnSync(program, ['-x', '-n', String(INHERITED_FD)], {
        stdio: ['ignore', 'ignore', 'ignore', fd],
        env: {},
      });
      if (ran.error !== undefined) throw ran.error;
      if (ran.status === HELD) return undefined;
      if (ran.status === 0 && confirmed(fd)) return () => undefined;
      throw Object.assign(new Error(`${program} ended with ${ran.status ?? ran.signal ?? 'nothing'}`), {
        code: 'ENOLCK',
      });
    },
  };
}
