/** Finds and ends everything that an agent started: its group, what left the group, what outlived its parent. */
import { execFileSync } from 'node:child_process';
import { attempt } from '../core/attempt.ts';
import type { AgentId, ProcessMark } from '../core/types.ts';
import { parentIn, readOr } from '../repo/client-processes.ts';
import { blockThread } from '../repo/block-thread.ts';
import { isCertainlyAlive } from '../repo/process.ts';
import { MARK, SUPERVISOR } from './client-call.ts';
import { procReader, type Row, rowsOfProc } from './proc-table.ts';
import { isTold } from './told.ts';

/** Which processes belong to an agent. */
export interface AgentProcesses {
  readonly id: AgentId;
  /** Pid of a client that is certainly this agent's. */
  readonly client: number | null;
  /** These and all below them belong to the agent, except the calling process itself. */
  readonly roots: readonly number[];
  /** Supervisors of other agents: what runs below them belongs to those. */
  readonly others: readonly ProcessMark[];
  /** A newer supervisor of this agent: what it started is spared. `null` if there is none. */
  readonly successor: ProcessMark | null;
  /** Sessions of the user's own programs (told.ts). */
  readonly told: ReadonlySet<number>;
}

/**
 * On Linux, found by the mark in their environment, which no fork loses, and by their ancestry, which no environment hides.
 * Elsewhere, the client's descendants.
 */
export function processesOf(whose: AgentProcesses): number[] {
  const { client, roots, told } = whose;
  const isLinux = process.platform === 'linux';
  const read = procReader();
  const rows = isLinux ? rowsOfProc(read) : rowsOfPs();
  const found = new Set<number>();
  const waiting = [...(isLinux ? roots : []), ...(client === null ? [] : [client])];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    if (found.has(pid) || isAnothers(pid, whose) || isTold(pid, told)) continue;
    found.add(pid);
    for (const row of rows) if (row.parent === pid) waiting.push(row.pid);
  }
  return rows
    .map(({ pid }) => pid)
    .filter((pid) => found.has(pid) || (isLinux && isMarked(read(`/proc/${pid}/environ`).split('\0'), whose)))
    .filter((pid) => pid !== process.pid);
}

const isAnothers = (pid: number, { others, successor }: AgentProcesses): boolean =>
  [...others, ...(successor === null ? [] : [successor])].some(
    (mark) => mark.pid === pid && isCertainlyAlive(mark),
  );

/** @param environ `name=value` of each of its variables */
const isMarked = (environ: readonly string[], { id, successor }: AgentProcesses): boolean =>
  environ.includes(`${MARK}=${id}`) &&
  !(successor !== null && environ.includes(`${SUPERVISOR}=${successor.pid}`) && isCertainlyAlive(successor));

/** Sends a signal to the client's group and to all other processes of the agent. True if there was any. */
export function signalAll(whose: AgentProcesses, signal: NodeJS.Signals): boolean {
  const pids = processesOf(whose);
  const { client } = whose;
  if (client !== null && pids.includes(client)) sendSignal(-client, signal);
  for (const pid of pids) sendSignal(pid, signal);
  return pids.length > 0;
}

/** False if it is gone by now. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): boolean =>
  attempt(() => {
    process.kill(pid, signal);
    return true;
  }, false);

/** A process may fork between two looks. */
const ROUNDS = 200;
const PAUSE_MS = 10;

/** Repeats until none is left, for two seconds at most. True if none is left. */
export function endAll(whose: AgentProcesses): boolean {
  for (let round = 0; round < ROUNDS; round++) {
    if (!signalAll(whose, 'SIGKILL')) return true;
    blockThread(PAUSE_MS);
  }
  return false;
}

/** All ancestors of a process, nearest first. */
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

const rowsOfPs = (): Row[] =>
  execFileSync('/bin/ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'latin1' })
    .split('\n')
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(\S)/.exec(row))
    .filter((row) => row !== null && row[3] !== 'Z')
    .map((row) => ({ pid: Number(row?.[1]), parent: Number(row?.[2]) }));
