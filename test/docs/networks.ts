/** Linux network namespaces, each connected to this one by its own veth pair and isolated from the others. */
import { execFileSync, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';

const ip = (...args: readonly string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

export interface Network {
  /** The words to put before a command to run it in this network. */
  readonly inside: readonly string[];
  /** The address of this end of the veth pair, as seen from the network. */
  readonly server: string;
}

/** Namespaces need root and a kernel that allows them; prints a notice if they can't be made. */
export function hasNetworks(): boolean {
  const name = `gprobe${process.pid}`;
  const { status } = spawnSync('ip', ['netns', 'add', name], { stdio: 'ignore' });
  if (status === 0) ip('netns', 'del', name);
  else console.warn('SKIPPED: no network namespace can be made here: two machines are not tried on networks');
  return status === 0;
}

/** @param number 1 or 2 */
export function network(number: number): Network {
  const name = `guard${process.pid}n${number}`;
  const [here, there] = [`g${process.pid}h${number}`, `g${process.pid}t${number}`];
  const address = (end: number): string => `10.203.${number}.${end}`;
  ip('netns', 'add', name);
  // Deleting the namespace also deletes its end of the veth pair, and so the pair.
  onTestFinished(() => void ip('netns', 'del', name));
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name);
  ip('addr', 'add', `${address(1)}/30`, 'dev', here);
  ip('link', 'set', here, 'up');
  ip('-n', name, 'addr', 'add', `${address(2)}/30`, 'dev', there);
  ip('-n', name, 'link', 'set', there, 'up');
  return { inside: ['ip', 'netns', 'exec', name], server: address(1) };
}
