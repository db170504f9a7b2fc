import type { Span } from '../../core/drift.ts';
import { agentKey } from '../../core/keys.ts';
import { asAgentState } from '../../core/states.ts';
import { isUp } from '../../core/up.ts';
import type { HookSpace, Hook } from '../context.ts';
import { endWindows, windowsIn } from './open-windows.ts';

/**
 * Commands of agents, as windows. A window of an agent that is certainly gone counts one last time. Any program of this user
 * can write such a file, so it counts only for an agent that a ledger here knows: blame cannot be put on an invented agent.
 */
export function spansIn(hook: Hook, { state_dir, store, facts }: HookSpace): readonly Span[] {
  const { who, now, home } = hook;
  const windows = windowsIn(state_dir);
  const others = [...new Set(windows.map(({ agent }) => agent))].filter((agent) => agent !== who.id);
  if (others.length === 0) return windows;
  const keys = others.map(agentKey);
  const [here, there] = [store.look(keys), store === home.store ? null : home.store.look(keys)];
  const states = new Map(
    others.map((agent) => [
      agent,
      asAgentState(here.get(agentKey(agent))) ?? asAgentState(there?.get(agentKey(agent))),
    ]),
  );
  const isGone = (agent: string): boolean => {
    const state = states.get(agent);
    return state !== undefined && !isUp({ get: (key) => store.look([key]).get(key) }, state, facts());
  };
  if (windows.some(({ agent, until_ms }) => until_ms === null && isGone(agent)))
    endWindows(state_dir, now.wall_ms, ({ agent }) => isGone(agent));
  return windows.filter(({ agent }) => agent === who.id || states.get(agent) !== undefined);
}
