/** Which keys a judgement about some paths needs: the paths, everyone who stands in them, and their parents. */
import { agentKey, GLOBS, pathKey } from './keys.ts';
import type { Key, View } from './ledger.ts';
import { asAgentState, asPathState } from './states.ts';
import { missingReserved } from './rules/reserved.ts';
import { actingFor } from './acting.ts';
import type { AgentId, AgentState, RepoPath } from './types.ts';

export const missingKeys = (view: View, keys: readonly Key[]): Key[] => keys.filter((key) => !view.has(key));

/** Keys missing from the view; empty when everything that the paths and agents lead to may be read. */
export function missingFor(
  view: View,
  paths: readonly RepoPath[],
  agents: readonly AgentId[],
  extra: readonly Key[] = [],
): Key[] {
  const missing = new Set<Key>(missingKeys(view, extra));
  const wanted = new Set<AgentId>(agents);
  for (const path of paths) {
    const key = pathKey(path);
    if (!view.has(key)) missing.add(key);
    else for (const agent of agentsIn(view, path)) wanted.add(agent);
  }
  for (const agent of wanted) addAgent(view, agent, missing);
  if (paths.length > 0) addReserved(view, paths, missing);
  return [...missing];
}

function agentsIn(view: View, path: RepoPath): AgentId[] {
  const state = asPathState(view.get(pathKey(path)));
  const agents = [...state.holds, ...state.queue].map((entry) => entry.agent);
  return state.intent === null ? agents : [...agents, state.intent.agent];
}

/** With its parent, and with those whose signs of life count as its own (acting.ts). */
function addAgent(view: View, agent: AgentId, missing: Set<Key>): void {
  const known = (id: AgentId): AgentState | undefined => {
    if (view.has(agentKey(id))) return asAgentState(view.get(agentKey(id)));
    missing.add(agentKey(id));
    return undefined;
  };
  const state = known(agent);
  const parent = state === undefined ? parentIn(agent) : state.parent;
  const above = parent ? known(parent) : undefined;
  if (state?.calls ?? state?.children) actingFor(state, above).forEach(known);
}

/** Of an agent that did not join yet its name alone tells: `<parent>/<name>`. */
const parentIn = (agent: AgentId): AgentId => agent.slice(0, Math.max(0, agent.lastIndexOf('/')));

/** One key more while nobody reserves anything. */
function addReserved(view: View, paths: readonly RepoPath[], missing: Set<Key>): void {
  if (!view.has(GLOBS)) missing.add(GLOBS);
  else if (view.get(GLOBS) !== undefined) missingReserved(view, paths).forEach((key) => missing.add(key));
}
