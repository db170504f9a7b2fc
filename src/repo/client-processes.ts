/**
 * Finds processes of Claude Code that work in given directories, whether or not guard has seen them: only this user's,
 * and only if the kernel lists them cheaply (Linux). A process chooses its own name, so it is compared, never displayed.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { parseProcStat } from './process.ts';

export interface ClientProcess {
  readonly pid: number;
  /** As in ProcessMark. */
  readonly start: string;
  readonly cwd: string;
  readonly age_s: number;
}

/** `sysconf(_SC_CLK_TCK)`, which is the same on every Linux that Node runs on. */
const TICKS_PER_S = 100;

/** Null if there is no way to know. */
export function clientProcesses(roots: readonly string[]): readonly ClientProcess[] | null {
  if (process.platform !== 'linux') return null;
  const uptime_s = Number.parseFloat(readOr('/proc/uptime'));
  if (!Number.isFinite(uptime_s)) return null;
  const clients = pids().flatMap((pid) => lookAt(pid, uptime_s) ?? []);
  const known = new Set(clients.map(({ pid }) => pid));
  return clients
    .filter(({ parent, cwd }) => !known.has(parent) && roots.some((root) => isWithin(cwd, root)))
    .map(({ pid, start, cwd, age_s }) => ({ pid, start, cwd, age_s }));
}

const pids = (): number[] =>
  readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));

const isWithin = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);

/** Undefined for another program, another user's process, and one that has ended. */
function lookAt(pid: number, uptime_s: number): (ClientProcess & { readonly parent: number }) | undefined {
  const stat = readOr(`/proc/${pid}/stat`);
  const sighting = parseProcStat(stat);
  if (sighting.state !== 'alive' || !isClient(pid, nameIn(stat))) return undefined;
  try {
    // Fails for another user's process.
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    const age_s = Math.max(0, Math.floor(uptime_s - Number(sighting.start) / TICKS_PER_S));
    return { pid, start: sighting.start, cwd, age_s, parent: parentIn(stat) };
  } catch {
    return undefined;
  }
}

const nameIn = (stat: string): string => stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
/** The parent's pid according to /proc/<pid>/stat; 0 if it is not there. */
export const parentIn = (stat: string): number =>
  Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0) || 0;

/** The native program, or Node running the client's script; a Node process that sets its title shows that as its name. */
const NAMES = /^claude(?:\.exe)?$/;
const SCRIPT = /[/\\]@anthropic-ai[/\\]claude-code[/\\]cli\.js$/;
/** The client's long-running commands that are not sessions. */
const NO_SESSION = new Set(['mcp', 'daemon']);

function isClient(pid: number, name: string): boolean {
  const mayBe = NAMES.test(name) || name.startsWith('node') || name.startsWith('MainThread');
  if (!mayBe) return false;
  const [program = '', ...words] = readOr(`/proc/${pid}/cmdline`).split('\0');
  const script = words.findIndex((word) => SCRIPT.test(word));
  if (!NAMES.test(name) && !NAMES.test(basename(program)) && script === -1) return false;
  return !NO_SESSION.has(words[script + 1] ?? '');
}

/** '' if it cannot be read: a process may end at any moment. */
export const readOr = (file: string): string => attempt(() => readFileSync(file, 'latin1'), '');
