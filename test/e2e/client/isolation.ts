import { spawnSync } from 'node:child_process';

/** The command prefix that hides every network but the process's own loopback. */
export interface Isolation {
  readonly name: 'network namespace' | 'user and network namespace' | 'plain loopback';
  readonly prefix: readonly string[];
}

const WAYS: readonly Isolation[] = [
  { name: 'network namespace', prefix: ['unshare', '-n'] },
  { name: 'user and network namespace', prefix: ['unshare', '-r', '-n'] },
];

/** The first way that this machine permits. With plain loopback, only the client's own switches keep it offline. */
export function findIsolation(): Isolation {
  const permitted = WAYS.find(({ prefix: [command = '', ...args] }) => {
    return spawnSync(command, [...args, 'ip', 'link', 'set', 'lo', 'up'], { timeout: 10_000 }).status === 0;
  });
  return permitted ?? { name: 'plain loopback', prefix: [] };
}
