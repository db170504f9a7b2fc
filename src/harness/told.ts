/**
 * The user's own programs that were told of an agent's end (on-end.ts). They are started by whichever process records the
 * end, even another agent's supervisor or command, but belong only to the user. Each leads a session: everything below it
 * stays in it unless it leaves, and no other process can enter, whereas anyone can set a mark in the environment.
 */
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parsedObject } from '../core/json-object.ts';
import { samePidPlace } from '../core/same-process.ts';
import type { ProcessMark } from '../core/types.ts';
import { readOr } from '../repo/client-processes.ts';
import { markProcess } from '../repo/process.ts';
import { replaceWhole } from '../repo/replace-whole.ts';
import { textOf } from '../repo/small-file.ts';

const BYTES = 64 * 1024;
const KEPT = 100;

const fileIn = (state_dir: string): string => join(state_dir, 'agents', 'told.jsonl');
const linesIn = (state_dir: string): readonly string[] =>
  (textOf(fileIn(state_dir), 2 * BYTES) ?? '').split('\n').filter((line) => line !== '');

/** @param pid a process that was started as the leader of its session */
export function noteTold(state_dir: string, pid: number): void {
  const file = fileIn(state_dir);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > BYTES) replaceWhole(file, `${linesIn(state_dir).slice(-KEPT).join('\n')}\n`);
  appendFileSync(file, `${JSON.stringify(markProcess(pid) ?? { pid })}\n`, { mode: 0o600 });
}

/** Their pids, including those that have ended: what those left behind still runs in their session. */
export function toldSessions(state_dir: string): ReadonlySet<number> {
  const lines = linesIn(state_dir);
  const own = lines.length === 0 ? null : markProcess(process.pid);
  const isIt = (pid: number, { start, ...place }: Partial<ProcessMark>): boolean => {
    if (own === null ? place.boot !== undefined : !samePidPlace({ ...own, ...place }, own)) return false;
    const now = markProcess(pid);
    return now === null || now.start === start;
  };
  return new Set(
    lines.flatMap((line) => {
      const { pid, ...mark } = parsedObject(line);
      return typeof pid === 'number' && isIt(pid, mark) ? [pid] : [];
    }),
  );
}

/** If the kernel does not tell the session of a process (macOS), only the program itself counts. */
export const isTold = (pid: number, told: ReadonlySet<number>): boolean =>
  told.size > 0 && told.has(process.platform === 'linux' ? sessionOf(pid) : pid);

/** proc_pid_stat(5), field 6; 0 if it is gone. */
function sessionOf(pid: number): number {
  const stat = readOr(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3] ?? 0) || 0;
}
