/**
 * Finds processes of coding clients that work in given directories, whether or not guard has seen them: only this user's,
 * and only if the kernel lists them cheaply (Linux).
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { ClientSeen } from '../core/needs/need.ts';
import { type ClientName, clientNamed } from './client-programs.ts';
import { parseProcStat } from './process.ts';

export interface FoundClient extends ClientSeen {
  readonly client: ClientName;
  /** The process of the same client that started it, if there is one: some start themselves again. */
  readonly parent: number | null;
}

/** `sysconf(_SC_CLK_TCK)`, which is the same on every Linux that Node runs on. */
const TICKS_PER_S = 100;

/** Null if there is no way to know. */
export function clientProcesses(roots: readonly string[]): readonly FoundClient[] | null {
  if (process.platform !== 'linux') return null;
  const uptime_s = Number.parseFloat(readOr('/proc/uptime'));
  if (!Number.isFinite(uptime_s)) return null;
  return pids().flatMap((pid) => {
    if (pid === process.pid) return [];
    // One system call instead of ten, and for most processes on a machine the only one.
    const cwd = cwdOf(pid);
    if (cwd === undefined || !roots.some((root) => isWithin(cwd, root))) return [];
    const found = lookAt(pid);
    if (found === undefined) return [];
    const { client, start } = found;
    const parent = isOfClient(found.parent, client) ? found.parent : null;
    const age_s = Math.max(0, Math.floor(uptime_s - Number(start) / TICKS_PER_S));
    return [{ client, parent, pid, start, cwd, age_s }];
  });
}

const pids = (): number[] =>
  readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));

/** Undefined for another user's process. */
const cwdOf = (pid: number): string | undefined => attempt(() => readlinkSync(`/proc/${pid}/cwd`), undefined);

const isOfClient = (pid: number, client: ClientName): boolean =>
  cwdOf(pid) !== undefined && lookAt(pid)?.client === client;

const isWithin = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);

interface Looked {
  readonly client: ClientName;
  readonly start: string;
  readonly parent: number;
}

/** Programs of clients, and Node, which runs others; one whose title is set has that as its name. */
const MAY_BE = /^(?:claude|codex|copilot|opencode|node|MainThread)/;

/** Undefined for another program, and for one that has ended. */
function lookAt(pid: number): Looked | undefined {
  const stat = readOr(`/proc/${pid}/stat`);
  const sighting = parseProcStat(stat);
  const name = nameIn(stat);
  if (sighting.state !== 'alive' || !MAY_BE.test(name)) return undefined;
  const client = clientNamed(name, readOr(`/proc/${pid}/cmdline`).split('\0'));
  return client === undefined ? undefined : { client, start: sighting.start, parent: parentIn(stat) };
}

const nameIn = (stat: string): string => stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
/** The parent's pid according to /proc/<pid>/stat; 0 if it is not there. */
export const parentIn = (stat: string): number =>
  Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0) || 0;

/** '' if it cannot be read: a process may end at any moment. */
export const readOr = (file: string): string => attempt(() => readFileSync(file, 'utf8'), '');
