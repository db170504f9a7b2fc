/** Wakes everything that waits in this process. Missed notifications are covered by polling. */
import { mkdirSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { nameHash } from '../../repo/name-hash.ts';
import type { PostgresConfig } from './address.ts';
import { openBell } from './bell.ts';
import { type Closable, openListening } from './listening.ts';

export interface Wakes {
  /** Calls `ring` at every notification and whenever the connection is restored. Returns a function that stops this. */
  hang(ring: () => void): () => void;
  close(): void;
}

export function openWakes(config: PostgresConfig, channel: string): Wakes {
  const ringers = new Set<() => void>();
  const ringAll = (): void => ringers.forEach((ring) => ring());
  let live: Closable | undefined;
  const rest = (): void => {
    live?.close();
    live = undefined;
  };
  return {
    hang(ring) {
      ringers.add(ring);
      live ??= open(config, channel, ringAll);
      return () => {
        ringers.delete(ring);
        if (ringers.size === 0) rest();
      };
    },
    close() {
      ringers.clear();
      rest();
    },
  };
}

/** Longer addresses are cut off, on macOS after 103 bytes. A new socket has up to 10 more behind its name (bell.ts). */
const PATH_BYTES_MAX = 92;
/** For the few addresses and channels of one repository on one machine; waiters that shared one by mistake would wake too often. */
const NAME_DIGITS = 6;

/** Where processes of a machine meet; null if there is no such place, or it would be too long. */
export function socketPath(dir: string, about: string): string | null {
  const path = `${dir}/${nameHash(about).slice(0, NAME_DIGITS)}.s`;
  const isUsable = dir !== '' && process.platform !== 'win32';
  return isUsable && Buffer.byteLength(path) <= PATH_BYTES_MAX ? path : null;
}

function open(config: PostgresConfig, channel: string, ring: () => void): Closable {
  const listen = (each: () => void): Closable => openListening(config, channel, each);
  const { machine_dir: dir = '', url, direct_url = url } = config;
  const path = socketPath(dir, `${direct_url} ${channel}`);
  const isThere =
    path !== null && attempt(() => (mkdirSync(dir, { recursive: true, mode: 0o700 }), true), false);
  return isThere ? openBell(path, ring, listen) : listen(ring);
}
