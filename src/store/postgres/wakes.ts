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

/** Longer addresses of sockets are cut off, on macOS after 103 bytes. */
const PATH_MAX = 90;

function open(config: PostgresConfig, channel: string, ring: () => void): Closable {
  const listen = (each: () => void): Closable => openListening(config, channel, each);
  const { machine_dir: dir = '', url, direct_url = url } = config;
  const path = `${dir}/${nameHash(`${direct_url} ${channel}`)}.sock`;
  const isShared = dir !== '' && path.length <= PATH_MAX && process.platform !== 'win32';
  const isThere = isShared && attempt(() => (mkdirSync(dir, { recursive: true, mode: 0o700 }), true), false);
  return isThere ? openBell(path, ring, listen) : listen(ring);
}
