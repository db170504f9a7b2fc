/** Two network namespaces of Linux, each joined to this one by a cable of its own: what is in one reaches no other. */
import { execFileSync, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';

const ip = (...args: readonly string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

export interface Network {
  /** What a command line begins with that is to run there. */
  readonly inside: readonly string[];
  /** This side of the cable, as it is called there. */
  readonly server: string;
}

/** They need root, and a kernel that lets it; says so where there are none. */
export function hasNetworks(): boolean {
  const name = `gprobe${process.pid}`;
  const { status } = spawnSync('ip', ['netns', 'add', name], { stdio: 'ignore' });
  if (status === 0) ip('netns', 'del', name);
  else console.warn('SKIPPED: no network namespace can be made here: two machines are not tried on networks');
  return status === 0;
}

/** @param number of it: 1 or 2 */
export function network(number: number): Network {
  const name = `guard${process.pid}n${number}`;
  const [here, there] = [`g${process.pid}h${number}`, `g${process.pid}t${number}`];
  const address = (end: number): string => `10.203.${number}.${end}`;
  ip('netns', 'add', name);
  // Its end of the cable goes with it, and the cable with that.
  onTestFinished(() => void ip('netns', 'del', name));
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name);
  ip('addr', 'add', `${address(1)}/30`, 'dev', here);
  ip('link', 'set', here, 'up');
  ip('-n', name, 'addr', 'add', `${address(2)}/30`, 'dev', there);
  ip('-n', name, 'link', 'set', there, 'up');
  return { inside: ['ip', 'netns', 'exec', name], server: address(1) };
}
