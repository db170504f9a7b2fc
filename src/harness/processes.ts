/** Everything that an agent started, found and ended: its group, what left the group, what outlived its parent. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { parentIn, readOr } from '../repo/client-processes.ts';
import { blockThread } from '../repo/block-thread.ts';
import { MARK } from './client-call.ts';

/**
 * Pids of an agent's processes. Linux: by the mark in their environment, which no fork loses. Elsewhere: what descends
 * from the client.
 */
export function processesOf(id: string, client: number | null): number[] {
  const found = process.platform === 'linux' ? marked(id) : client === null ? [] : descendants(client);
  return found.filter((pid) => pid !== process.pid);
}

/** Sends a signal to the client's group and to all other processes of the agent. True: there was one. */
export function signalAll(id: string, client: number | null, signal: NodeJS.Signals): boolean {
  const pids = processesOf(id, client);
  if (client !== null && pids.includes(client)) sendSignal(-client, signal);
  for (const pid of pids) sendSignal(pid, signal);
  return pids.length > 0;
}

/** False: gone meanwhile. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): boolean =>
  attempt(() => {
    process.kill(pid, signal);
    return true;
  }, false);

/** A process may fork between two looks. */
const ROUNDS = 200;
const PAUSE_MS = 10;

/** Until none is left, two seconds at most. True: none is left. */
export function endAll(id: string, client: number | null): boolean {
  for (let round = 0; round < ROUNDS; round++) {
    if (!signalAll(id, client, 'SIGKILL')) return true;
    blockThread(PAUSE_MS);
  }
  return false;
}

function marked(id: string): number[] {
  const mark = `${MARK}=${id}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => readOr(`/proc/${name}/environ`).split('\0').includes(mark))
    .filter((name) => !/^\d+ \(.*\) [ZX]/s.test(readOr(`/proc/${name}/stat`)))
    .map(Number);
}

/** What started a process, and what started that, up to the first of all; nearest first. */
export function ancestorsOf(pid: number): number[] {
  const parents =
    process.platform === 'linux' ? null : new Map(rowsOfPs().map((row) => [row.pid, row.parent]));
  const found: number[] = [];
  for (let at = pid; at > 1 && found.length < MAX_ANCESTORS;) {
    at = parents === null ? parentIn(readOr(`/proc/${at}/stat`)) : (parents.get(at) ?? 0);
    if (at > 0) found.push(at);
  }
  return found;
}

const MAX_ANCESTORS = 200;

/** The name in field 2 may hold blanks and brackets. */

function descendants(client: number): number[] {
  const rows = rowsOfPs();
  const below = (pid: number): number[] =>
    rows.filter((row) => row.parent === pid).flatMap((row) => [row.pid, ...below(row.pid)]);
  const own = rows.some(({ pid }) => pid === client) ? [client] : [];
  return [...own, ...below(client)];
}

const rowsOfPs = (): { pid: number; parent: number }[] =>
  execFileSync('/bin/ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'latin1' })
    .split('\n')
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(\S)/.exec(row))
    .filter((row) => row !== null && row[3] !== 'Z')
    .map((row) => ({ pid: Number(row?.[1]), parent: Number(row?.[2]) }));
