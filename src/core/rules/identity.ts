/**
 * Which agent a process acts for. A second live process on one session (two resumes of one id) is a separate agent,
 * `~2`; a process keeps its name even after the first one has died.
 */
import { agentKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { sameProcess } from '../same-process.ts';
import { asAgentState } from '../states.ts';
import type { AgentId, AgentState, Facts, ProcessMark } from '../types.ts';
import { isUp } from '../up.ts';

export interface ProcessIdentity {
  readonly id: AgentId;
  /** What it knows of files comes from another process of the session. */
  readonly inherited: boolean;
}

const LIMIT = 64;

type Looks = Pick<Facts, 'now' | 'isDead' | 'machine'>;

export function identify(
  view: Pick<View, 'get'>,
  base: AgentId,
  proc: ProcessMark | null,
  facts: Looks,
): ProcessIdentity {
  if (proc === null) return { id: base, inherited: false };
  let vacant: ProcessIdentity | null = null;
  for (let n = 1; n <= LIMIT; n++) {
    const id = n === 1 ? base : `${base}~${n}`;
    const state = asAgentState(view.get(agentKey(id)));
    const identity = { id, inherited: n > 1 };
    if (state === undefined) return vacant ?? identity;
    if (state.proc !== null && sameProcess(state.proc, proc)) return identity;
    if (vacant === null && isVacant(view, state, facts)) vacant = identity;
  }
  return vacant ?? { id: base, inherited: true };
}

function isVacant(states: Pick<View, 'get'>, state: AgentState, facts: Looks): boolean {
  const { live, machine, boot, proc } = state;
  // Only another machine itself knows about its processes.
  if (machine !== undefined && machine.id !== facts.machine) return !isUp(states, state, facts);
  return !live || boot !== facts.now.boot || proc === null || facts.isDead(proc);
}
