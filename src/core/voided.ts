/** What the states of a copied ledger become: no agent in it holds, waits for or writes anything here. */
import { AGENTS, GLOBS, PATHS, WAITS } from './keys.ts';
import type { Json, Key } from './ledger.ts';
import { isPlaceKey } from './rules/places.ts';
import { asAgentState, asPathState } from './states.ts';
import type { AgentState, PathState } from './types.ts';

/** The new state, `null` to remove it; `undefined` if it stays, as agents, messages, last writes and profiles do. */
export function voided(key: Key, state: Json): Json | undefined {
  if (key.startsWith(WAITS) || key.startsWith(GLOBS) || isPlaceKey(key)) return null;
  if (key.startsWith(PATHS)) return voidedPath(asPathState(state));
  const agent = key.startsWith(AGENTS) ? asAgentState(state) : undefined;
  return agent === undefined ? undefined : voidedAgent(agent);
}

function voidedPath(path: PathState): Json | undefined {
  if (path.holds.length + path.queue.length === 0 && path.intent === null) return undefined;
  const next: PathState = { ...path, holds: [], queue: [], intent: null };
  return next as unknown as Json;
}

/** The epoch is raised too, so anything that an earlier process still believes it holds has an older one. */
function voidedAgent(agent: AgentState): Json {
  const next: AgentState = { ...agent, epoch: agent.epoch + 1, op: null, background: [] };
  return next as unknown as Json;
}
