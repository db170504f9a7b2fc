/**
 * Processes that an agent left behind. On Linux its supervisor becomes their parent (`native/guard.c`, `adopt`), so neither a
 * new session nor an empty environment hides them. Whoever ends the agent of a dead supervisor reads their marks.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import type { DraftState } from '../core/drafts.ts';
import { hasPlace } from '../core/places-of-drafts.ts';
import { sameProcess } from '../core/same-process.ts';
import type { AgentId, ProcessMark } from '../core/types.ts';
import { readOr } from '../repo/client-processes.ts';
import { nativeCode } from '../repo/native.ts';
import { isCertainlyAlive, markProcess } from '../repo/process.ts';
import { agentFiles, type AgentFiles } from './agent-files.ts';
import type { AgentProcesses } from './processes.ts';
import { toldSessions } from './told.ts';
import { allDrafts, type HarnessWorkspace, markHere } from './workspace.ts';

const fileIn = ({ dir }: AgentFiles): string => join(dir, 'orphans.json');

/** From now on. Without guard's native file nothing is adopted. */
export const adoptOrphans = (): void => void nativeCode().adopt?.();

/** Notes new arrivals and reaps dead ones, which no other process may. @returns a function to call every now and then */
export function tendOrphans(files: AgentFiles): (client: number | null) => void {
  let known = '';
  return (client) => {
    const children = readOr(`/proc/self/task/${process.pid}/children`).trim().split(' ').map(Number);
    const marks = children.filter((pid) => pid > 0 && pid !== client).flatMap(markOrBury);
    const text = JSON.stringify(marks);
    if (text === known || (known === '' && marks.length === 0)) return;
    known = text;
    attempt(() => writeFileSync(fileIn(files), text, { mode: 0o600 }), undefined);
  };
}

function markOrBury(pid: number): ProcessMark | [] {
  const mark = markProcess(pid);
  if (mark === null) nativeCode().bury?.(pid);
  return mark ?? [];
}

/** Processes of the agent that this process supervises. */
export const ownProcesses = (space: HarnessWorkspace, id: AgentId, client: number | null): AgentProcesses =>
  processesBelow(space, { id, client, roots: [process.pid] }, markProcess(process.pid));

/** Processes of an agent whose supervisor may be dead. A pid of another boot, or one reused since, belongs to another process. */
export function leftBy(space: HarnessWorkspace, draft: DraftState): AgentProcesses {
  const { id, session, supervisor } = draft;
  const client = draft.client && markHere(space, draft.client);
  const file = fileIn(agentFiles(space.repo.state_dir, session));
  const orphans = attempt(() => JSON.parse(readFileSync(file, 'utf8')) as ProcessMark[], []);
  const left = {
    id,
    client: client !== null && isCertainlyAlive(client) ? client.pid : null,
    roots: orphans.filter(isCertainlyAlive).map(({ pid }) => pid),
  };
  return processesBelow(space, left, supervisor && markHere(space, supervisor));
}

function processesBelow(
  space: HarnessWorkspace,
  whose: Pick<AgentProcesses, 'id' | 'client' | 'roots'>,
  supervisor: ProcessMark | null,
): AgentProcesses {
  const told = toldSessions(space.repo.state_dir);
  const drafts = attempt(() => allDrafts(space), null);
  // If it is unknown which other agents are at work, only the mark says whose a process is.
  if (drafts === null) return { ...whose, roots: [], others: [], successor: null, told };
  const looking = drafts.flatMap((draft) => {
    const mark = draft.supervisor && markHere(space, draft.supervisor);
    // The starter of a queued agent is recorded as its supervisor until the real one begins.
    return mark === null || mark.pid === process.pid ? [] : [{ draft, mark }];
  });
  const others = looking.filter(({ draft }) => draft.id !== whose.id).map(({ mark }) => mark);
  const own = looking.find(({ draft }) => draft.id === whose.id);
  const isAnother =
    own !== undefined && hasPlace(own.draft) && !(supervisor && sameProcess(own.mark, supervisor));
  return { ...whose, others, successor: isAnother ? own.mark : null, told };
}
