/**
 * Whether a process has certainly died (design section 4). Machine, boot and pid namespace must be those in which the
 * mark was made; then the pid must be absent, a zombie, or a process with another start time. In all other cases it
 * counts as alive, because a live agent that is taken for dead loses its lease in the middle of a write.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { type PidPlace, samePidPlace } from '../core/same-process.ts';
import type { ProcessMark } from '../core/types.ts';
import { monotonic } from './clock.ts';
import { errnoOf } from './errno.ts';
import { bootId, machineId, pidNamespace } from './machine.ts';
import { lookPs, type Sighting } from './ps.ts';

export { machineId } from './machine.ts';

const GONE: Sighting = { state: 'gone' };
const UNSURE: Sighting = { state: 'unsure' };

/** True only if the kernel says that no process has this pid. EPERM means another user's process, which is alive. */
function isAbsentPid(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errnoOf(error) === 'ESRCH';
  }
}

/** `unshare --pid` without a new /proc leaves a /proc in which our pids denote other processes. */
const procIsOurs = (): boolean => attempt(() => readlinkSync('/proc/self') === String(process.pid), false);

/** proc_pid_stat(5): the name in field 2 may contain spaces and parentheses, so fields are counted from the last `)`. */
export function parseProcStat(text: string): Sighting {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, threads, start] = [fields[0], Number(fields[17]), fields[19]];
  if (state === undefined || start === undefined || !/^\d+$/.test(start)) return UNSURE;
  // A process whose main thread ended before the others is shown as a zombie too, but is alive.
  if ((state === 'Z' || state === 'X') && threads <= 1) return GONE;
  return { state: 'alive', start };
}

function lookLinux(pid: number): Sighting {
  if (!procIsOurs()) return UNSURE;
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // With hidepid=, another user's process has no entry even though it is alive.
    return isAbsentPid(pid) ? GONE : UNSURE;
  }
  return parseProcStat(text);
}

/** If there is no way to learn a start time (Windows), nothing is ever certain. */
const LOOK: Readonly<Partial<Record<NodeJS.Platform, (pid: number) => Sighting>>> = {
  linux: lookLinux,
  darwin: (pid) => (isAbsentPid(pid) ? GONE : lookPs(pid, isAbsentPid)),
};

function look(pid: number): Sighting {
  if (!Number.isSafeInteger(pid) || pid <= 0) return UNSURE;
  return LOOK[process.platform]?.(pid) ?? UNSURE;
}

/** Null if there is no such process, or if its death could not be detected later. */
export function markProcess(pid: number, place = here): ProcessMark | null {
  const sighting = look(pid);
  if (sighting.state !== 'alive') return null;
  const { boot, pid_ns, machine } = place();
  return { pid, start: sighting.start, boot, pid_ns, machine };
}

const here = (boot = bootId()): PidPlace => ({ machine: machineId(), boot, pid_ns: pidNamespace() });

/** Looked up once, if at all: what makes pids comparable does not change while this process lives. */
export function openPlace(boot: string): () => PidPlace {
  let place: PidPlace | undefined;
  return () => (place ??= here(boot));
}

/** True only if this very process is certainly alive, and not another one with its pid. For use before sending a signal. */
export function isCertainlyAlive(mark: ProcessMark): boolean {
  if (!samePidPlace(mark, here())) return false;
  const sighting = look(mark.pid);
  return sighting.state === 'alive' && sighting.start === mark.start;
}

/** True only if it has certainly died. */
export const isDead = (mark: ProcessMark): boolean => isDeadHere(mark, here());

export function isDeadHere(mark: ProcessMark, place: PidPlace): boolean {
  if (!samePidPlace(mark, place)) return false;
  const sighting = look(mark.pid);
  return sighting.state === 'gone' || (sighting.state === 'alive' && sighting.start !== mark.start);
}

/** A process seen alive this recently is taken to be alive. */
const ALIVE_MS = 250;
const MARKS_MAX = 1_000;

/**
 * `isDead` for repeated questions about many agents that wait in few processes. What was dead stays dead, and what
 * makes pids comparable does not change while this process lives.
 */
export function openDeaths(): (mark: ProcessMark) => boolean {
  let place: PidPlace | null = null;
  const alive = new Map<string, number>();
  const dead = new Set<string>();
  return (mark) => {
    const { pid, start, boot, pid_ns, machine } = mark;
    const name = [pid, start, boot, pid_ns, machine].join('\0');
    const now_ms = monotonic();
    if (dead.has(name)) return true;
    if (now_ms - (alive.get(name) ?? -Infinity) < ALIVE_MS) return false;
    const isGone = isDeadHere(mark, (place ??= here()));
    // Entries for processes that came and went must not pile up.
    if (alive.size > MARKS_MAX) alive.clear();
    if (isGone) dead.add(name);
    else alive.set(name, now_ms);
    return isGone;
  };
}
