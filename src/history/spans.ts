/** Leases and waits over time, as records begin and end them. */
import { agentOfKey, AGENTS, pathOfKey, PATHS } from '../core/keys.ts';
import type { LedgerRecord } from '../core/ledger.ts';
import { asAgentState, asPathState } from '../core/states.ts';
import type { AgentId, AgentState, PathState, RepoPath } from '../core/types.ts';
import { type At, holdName, type HeldSpan, spanOfHold, spanOfTicket, ticketName } from './span.ts';

export interface SpanLog {
  /** In the order in which they began. */
  readonly spans: readonly HeldSpan[];
  take(record: Pick<LedgerRecord, 's'>, at: At): void;
}

export function openSpans(): SpanLog {
  const spans: HeldSpan[] = [];
  const open = new Map<RepoPath, Map<string, HeldSpan>>();
  const pathsOf = new Map<AgentId, Set<RepoPath>>();
  const agents = new Map<AgentId, Pick<AgentState, 'epoch' | 'live'>>();

  const end = (path: RepoPath, name: string, at: At): void => {
    const span = open.get(path)?.get(name);
    if (span === undefined) return;
    span.to_ms = Math.max(span.from_ms, at.ms);
    span.ended_by = at.type;
    open.get(path)?.delete(name);
  };
  const begin = (path: RepoPath, name: string, span: HeldSpan): void => {
    if (!open.has(path)) open.set(path, new Map());
    open.get(path)?.set(name, span);
    if (!pathsOf.has(span.agent)) pathsOf.set(span.agent, new Set());
    pathsOf.get(span.agent)?.add(path);
    spans.push(span);
  };
  /** An agent has released what it held in an older epoch, although the states of those paths do not show it. */
  const isOf = ({ agent, epoch }: { readonly agent: AgentId; readonly epoch: number }): boolean => {
    const known = agents.get(agent);
    return known === undefined || (known.live && epoch >= known.epoch);
  };
  const takePath = (path: RepoPath, { holds, queue }: PathState, at: At): void => {
    const now = new Map<string, () => HeldSpan>();
    for (const hold of holds) if (isOf(hold)) now.set(holdName(hold), () => spanOfHold(path, hold, at));
    for (const ticket of queue)
      if (isOf(ticket) && ticket.promised !== true)
        now.set(ticketName(ticket), () => spanOfTicket(path, ticket, at));
    for (const name of [...(open.get(path)?.keys() ?? [])]) if (!now.has(name)) end(path, name, at);
    for (const [name, make] of now) if (open.get(path)?.has(name) !== true) begin(path, name, make());
    if (open.get(path)?.size === 0) open.delete(path);
  };
  const takeAgent = (id: AgentId, state: AgentState | undefined, at: At): void => {
    const before = agents.get(id);
    const now = { epoch: state?.epoch ?? Infinity, live: state?.live ?? false };
    agents.set(id, now);
    if (before === undefined || (before.epoch === now.epoch && before.live === now.live)) return;
    for (const path of pathsOf.get(id) ?? [])
      for (const [name, span] of [...(open.get(path) ?? [])]) if (span.agent === id) end(path, name, at);
    pathsOf.delete(id);
  };
  return {
    spans,
    take({ s }, at) {
      const keys = Object.keys(s);
      for (const key of keys)
        if (key.startsWith(AGENTS)) takeAgent(agentOfKey(key), asAgentState(s[key]), at);
      for (const key of keys) if (key.startsWith(PATHS)) takePath(pathOfKey(key), asPathState(s[key]), at);
    },
  };
}
