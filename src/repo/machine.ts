/**
 * Which machine, boot and namespaces this is, which is what makes pids and monotonic times comparable. Anything that
 * cannot be read gets a value that never proves a death.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { runForOutput } from './output-of.ts';

const line = (path: string): string | null => attempt(() => readFileSync(path, 'utf8').trim() || null, null);

/**
 * Linux: the systemd or D-Bus machine id. Elsewhere, and in images without one: the host name; two machines of
 * the same name still differ in their boot id.
 */
export function machineId(): string {
  return (
    line('/etc/machine-id') ??
    line('/var/lib/dbus/machine-id') ??
    `host:${process.getBuiltinModule('node:os').hostname()}`
  );
}

const BOOT_ID: Readonly<Partial<Record<NodeJS.Platform, () => string | null>>> = {
  linux: () => line('/proc/sys/kernel/random/boot_id'),
  darwin: () => runForOutput('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']),
};

/**
 * Fallback: one constant per platform, so that two processes of one boot never disagree (which would void live
 * leases). The price: after a reboot, a lease ends by its holder's death or its TTL, not by the reboot.
 */
export function bootId(): string {
  return BOOT_ID[process.platform]?.() ?? `unknown:${process.platform}`;
}

const namespace = (name: string): string =>
  attempt(() => readlinkSync(`/proc/self/ns/${name}`), `${name}:none`);

/**
 * The namespaces in which a pid and its start time are meaningful. Time namespaces shift start times
 * (time_namespaces(7)), so they count too.
 */
export function pidNamespace(): string {
  return process.platform === 'linux' ? `${namespace('pid')} ${namespace('time')}` : process.platform;
}
