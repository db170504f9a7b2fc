/** The edges of `wait:<agent>`: what the agent waits for now, and what it was refused. */
import { leaseIn } from '../lease-scope.ts';
import type { Changes } from '../states.ts';
import type { AgentId, AgentState, Facts, Mode, RepoPath, WaitEdge } from '../types.ts';
import type { Acting } from './transaction.ts';

/**
 * A ticket is renewed by its waiter's polls and ends soon after the last one: a killed waiter must not keep the others
 * out for as long as it meant to wait.
 */
export const TICKET_MS = 30_000;

/** Lasts to the end of the wait, or long enough for now: close to the end, even a short remainder justifies a record. */
export const isEnough = (until: number, wanted: number, { now }: Facts): boolean =>
  wanted <= until || (wanted - until <= TICKET_MS / 2 && until - now.mono_ms > TICKET_MS / 2);

/** A new lease can close a cycle only if its agent waits for something. */
export const mayWait = (changes: Changes, { id }: Pick<AgentState, 'id'>): boolean =>
  changes.wait(id).awaits !== undefined ||
  changes.agent(id)?.calls !== undefined ||
  changes.wait(id).edges.some(({ kind }) => kind === 'wait');

/** Adds or replaces the agent's edge to a path; returns false if one as strong and as long exists already. */
export function addEdge(
  { changes, agent, facts }: Acting,
  own: RepoPath,
  mode: Mode,
  wait_until: number | null,
): boolean {
  const path = leaseIn(changes, own);
  const { edges } = changes.wait(agent.id);
  const old = edges.find((edge) => edge.path === path);
  if (old !== undefined && serves(old, wait_until, facts)) return false;
  const edge: WaitEdge = {
    path,
    kind: wait_until === null ? 'wanted' : 'wait',
    mode,
    since_wall_ms: facts.now.wall_ms,
    since_mono_ms: facts.now.mono_ms,
    until_mono_ms: wait_until ?? facts.now.mono_ms + facts.policy.wanted_ms,
    boot: facts.now.boot,
  };
  changes.setWait(agent.id, {
    ...changes.wait(agent.id),
    edges: [...edges.filter((other) => other.path !== path), edge],
  });
  return true;
}

/** An agent that tries in a loop must not cause a record each time: an edge with half of its time left is kept. */
function serves(old: WaitEdge, wait_until: number | null, facts: Facts): boolean {
  if (old.boot !== facts.now.boot) return false;
  const left_ms = old.until_mono_ms - facts.now.mono_ms;
  if (wait_until !== null)
    return old.kind === 'wait' && left_ms > 0 && isEnough(old.until_mono_ms, wait_until, facts);
  return left_ms > (old.kind === 'wait' ? 0 : facts.policy.wanted_ms / 2);
}

export function leaveQueue(changes: Changes, own: RepoPath, agent: Pick<AgentState, 'id'>): void {
  const path = leaseIn(changes, own);
  const state = changes.path(path);
  const queue = state.queue.filter((ticket) => ticket.agent !== agent.id);
  if (queue.length < state.queue.length) changes.setPath(path, { ...state, queue });
}

/** At the end of a turn, what was wanted is forgotten, and only background commands keep waiting. */
export function endWaits(changes: Changes, id: AgentId, has_background: boolean): void {
  const { edges } = changes.wait(id);
  const left = edges.filter(({ kind }) => has_background && kind === 'wait');
  if (left.length < edges.length) changes.setWait(id, { edges: left });
}
