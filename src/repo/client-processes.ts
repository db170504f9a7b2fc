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
  return pids().flatMap((pid) => {
    // One system call instead of ten, and for most processes on a machine the only one.
    const cwd = cwdOf(pid);
    if (cwd === undefined || !roots.some((root) => isWithin(cwd, root))) return [];
    const found = lookAt(pid);
    if (found === undefined || isOfClient(found.parent)) return [];
    const age_s = Math.max(0, Math.floor(uptime_s - Number(found.start) / TICKS_PER_S));
    return [{ pid, start: found.start, cwd, age_s }];
  });
}

const pids = (): number[] =>
  readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));

/** Undefined for another user's process. */
const cwdOf = (pid: number): string | undefined => attempt(() => readlinkSync(`/proc/${pid}/cwd`), undefined);

const isOfClient = (pid: number): boolean => cwdOf(pid) !== undefined && lookAt(pid) !== undefined;

const isWithin = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);

/** Undefined for another program, and for one that has ended. */
function lookAt(pid: number): { readonly start: string; readonly parent: number } | undefined {
  const stat = readOr(`/proc/${pid}/stat`);
  const sighting = parseProcStat(stat);
  if (sighting.state !== 'alive' || !isClient(pid, nameIn(stat))) return undefined;
  return { start: sighting.start, parent: parentIn(stat) };
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
