/** Agents' sessions, turns and command lines as spans: one trace per session, including its subagents. */
import { agentOfKey, AGENTS } from '../../core/keys.ts';
import type { LedgerRecord } from '../../core/ledger.ts';
import { asAgentState } from '../../core/states.ts';
import type { AgentId, AgentState } from '../../core/types.ts';
import type { At } from '../span.ts';
import { spanIdOf, traceIdOf } from './encoding.ts';
import { type TracedPlace, endSpan, type TracedSpan } from './traced.ts';

interface Life {
  readonly trace: string;
  readonly session: TracedSpan;
  turn: TracedSpan | null;
  readonly commands: Map<string, TracedSpan>;
}

export interface SessionLog {
  take(record: LedgerRecord, at: At): void;
  /** `null` if the agent is not known, like `guard` itself. */
  around(agent: AgentId): TracedPlace | null;
}

/** @param spans receives the spans in the order in which they begin */
export function trackSessions(spans: TracedSpan[]): SessionLog {
  const lives = new Map<AgentId, Life>();
  const last = new Map<AgentId, TracedPlace>();

  const begin = (state: AgentState, at: At): Life => {
    const { id, kind, parent, joined_lsn, joined_wall_ms, machine } = state;
    const above = parent === null ? null : (lives.get(parent)?.session ?? null);
    const trace = above?.trace ?? traceIdOf(id, joined_lsn, joined_wall_ms);
    const session: TracedSpan = {
      ...{ trace, parent: above?.id ?? null, id: spanIdOf('session', id, at.lsn), name: kind },
      ...{ from_ms: at.ms, to_ms: null },
      facts: { 'guard.agent': id, 'guard.parent': parent, 'guard.machine': machine?.id },
    };
    spans.push(session);
    const life: Life = { trace, session, turn: null, commands: new Map() };
    lives.set(id, life);
    return life;
  };
  const end = (id: AgentId, { session, turn, commands }: Life, at: At): void => {
    for (const span of [...commands.values(), turn, session])
      if (span?.to_ms === null) endSpan(span, at.ms, { 'guard.ended_by': at.type });
    lives.delete(id);
  };
  const takeState = (state: AgentState, at: At): void => {
    const { id, live, commands = [] } = state;
    const known = lives.get(id);
    if (!live) {
      if (known !== undefined) end(id, known, at);
      return;
    }
    const life = known ?? begin(state, at);
    const open = new Set(commands.map((command) => command.id));
    for (const [name, span] of life.commands) {
      if (open.has(name)) continue;
      endSpan(span, at.ms, { 'guard.ended_by': at.type });
      life.commands.delete(name);
    }
    for (const { id: op, paths, since_wall_ms } of commands) {
      if (life.commands.has(op)) continue;
      const span: TracedSpan = {
        ...{ trace: life.trace, parent: (life.turn ?? life.session).id, id: spanIdOf('command', id, op) },
        ...{ name: 'command', from_ms: Math.min(since_wall_ms, at.ms), to_ms: null },
        facts: { 'guard.agent': id, 'guard.op': op, 'guard.paths': paths },
      };
      spans.push(span);
      life.commands.set(op, span);
    }
  };
  return {
    take({ s, type, agent, phase, turn }, at) {
      for (const [key, state] of Object.entries(s)) {
        const agentState = key.startsWith(AGENTS) ? asAgentState(state) : undefined;
        if (agentState !== undefined) takeState(agentState, at);
        const gone = state === null && key.startsWith(AGENTS) ? lives.get(agentOfKey(key)) : undefined;
        if (gone !== undefined) end(agentOfKey(key), gone, at);
      }
      const life = lives.get(agent);
      if (life === undefined) return;
      if (type === 'turn' && (phase === 'start' || phase === 'end')) {
        if (life.turn?.to_ms === null) endSpan(life.turn, at.ms);
        life.turn = phase === 'end' ? null : turnOf(life, agent, { turn, at });
        if (life.turn !== null) spans.push(life.turn);
      }
      last.set(agent, { trace: life.trace, parent: (life.turn ?? life.session).id });
    },
    around(agent) {
      const life = lives.get(agent);
      if (life === undefined) return last.get(agent) ?? null;
      return { trace: life.trace, parent: (life.turn ?? life.session).id };
    },
  };
}

const turnOf = (
  { trace, session }: Life,
  agent: AgentId,
  { turn, at }: { readonly turn: unknown; readonly at: At },
): TracedSpan => ({
  ...{ trace, parent: session.id, id: spanIdOf('turn', agent, at.lsn), name: 'turn' },
  ...{ from_ms: at.ms, to_ms: null },
  facts: { 'guard.agent': agent, 'guard.turn': typeof turn === 'number' ? turn : null },
});
