/** A write that is refused: its reasons as one denial, on record, and what the agent wanted of others. */
import { denialOf } from '../denial.ts';
import type { Denial, Objection } from '../denial.ts';
import type { Json } from '../ledger.ts';
import type { Draft } from '../states.ts';
import type { AgentState, Facts, Refused } from '../types.ts';
import { addEdge } from './edges.ts';
import type { Step } from './rule.ts';
import type { WriteBeginEvent, WriteTarget, WriteVerdict } from './write-begin.ts';

/** @param objections at least one */
export function reject(
  draft: Draft,
  agent: AgentState,
  event: WriteBeginEvent,
  objections: readonly Objection[],
  facts: Facts,
): Step<WriteVerdict> {
  const denial = denialOf(objections);
  if (denial === null) throw new Error('a refusal without a reason');
  draft.setAgent({
    ...(draft.agent(agent.id) ?? agent),
    denials: agent.denials + 1,
    refused: afterRefusal(agent, event),
  });
  const blocked = event.targets.filter((target) => isLockedByOther(denial, target));
  for (const target of blocked) addEdge(draft, agent, target.path, 'exclusive', null, facts);
  draft.record({
    type: 'write.rejected',
    agent: agent.id,
    id: `rejected:${agent.id}:${event.op}`,
    ts_ms: facts.now.wall_ms,
    paths: event.targets.map((target) => target.path),
    tool: event.tool,
    op: event.op,
    denial: denial as unknown as Json,
    ...(blocked.length > 0 ? { wanted: blocked.map((target) => target.path) } : {}),
  });
  return { records: draft.records, result: { verdict: 'denied', denial } };
}

/** In the agent's state, which a refusal rewrites anyway. */
const REFUSED_MAX = 32;

function afterRefusal({ turn, refused }: AgentState, { targets }: WriteBeginEvent): Refused {
  const before = refused?.turn === turn ? refused.paths : [];
  const paths = [...before, ...targets.map(({ path }) => path)].slice(0, REFUSED_MAX);
  return { turn, paths };
}

/** What was refused before and is approved now is not missing any more. */
export function madeGood({ turn, paths }: Refused, { targets }: WriteBeginEvent): Refused {
  return { turn, paths: paths.filter((path) => targets.every((target) => target.path !== path)) };
}

function isLockedByOther(denial: Denial, target: WriteTarget): boolean {
  const { also, path } = denial.details;
  const types = [denial.error_type, ...(Array.isArray(also) ? (also as string[]) : [])];
  return path === target.abs && types.includes('LOCKED_BY_OTHER');
}
