/** Agents that start other agents, as the client and guard's own calls report it; rules only, no engine. */
import { viewOf } from '../../../src/core/fold.ts';
import { statusOf } from '../../../src/core/report.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import type { OpenCall } from '../../../src/core/types.ts';
import { subagent, type World } from '../world.ts';
import { a, c, world } from './stage.ts';

export const kid = subagent(a, 'k');
export const second = subagent(a, 'k2');

/** A PreToolUse event of the Agent tool. */
export function call(
  at: World,
  by: Who,
  id: string,
  wish: Partial<OpenCall> = { is_background: false },
): void {
  at.run({ type: 'agent.present', who: by });
  const state = at.agent(by);
  const open = { id, tool: 'Agent', since_mono_ms: at.mono_ms, until_mono_ms: null, ...wish };
  at.states.set(`agent:${by.id}`, { ...state, calls: [...(state?.calls ?? []), open] } as never);
}
export const begin = (at: World, child: Who) => at.run({ type: 'turn.start', who: child });
export const end = (at: World, by: Who, id: string) =>
  at.states.set(`agent:${by.id}`, {
    ...at.agent(by),
    calls: at.agent(by)?.calls?.filter((one) => one.id !== id),
  } as never);
export const spawn = (at: World, by: Who, child: Who, id = `call-${child.id}`): void => {
  call(at, by, id);
  begin(at, child);
};
export const awaits = (at: World, who: Who, other: Who, phase: 'begin' | 'go_on' | 'end' = 'begin') =>
  at.run({ type: 'agent.await', who, agent: other.id, phase, proc: null });
export const edges = (at: World) =>
  statusOf(viewOf(at.states), at.facts)
    .waits.filter(({ because }) => because === 'agent')
    .map(({ from, to, kind }) => `${from} ${kind} ${to}`);

/** `a` holds x and runs its subagent in the foreground, `c` holds y. */
export function split(at = world(), prepare: (at: World) => void = () => undefined): World {
  at.lock(a, 'x');
  at.lock(c, 'y');
  prepare(at);
  spawn(at, a, kid);
  return at;
}
