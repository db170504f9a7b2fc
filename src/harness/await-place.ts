/** Records who waits for agents to end, for as long as the wait lasts, so that a cycle of waits is found. */
import { waitKey } from '../core/keys.ts';
import type { Who } from '../core/rules/who.ts';
import type { AwaitEvent } from '../core/rules/await.ts';
import type { Deadlock } from '../core/rules/deadlock.ts';
import { asWaitState } from '../core/states.ts';
import type { AgentId } from '../core/types.ts';
import { unlessHindered } from '../core/is-busy.ts';
import { markProcess } from '../repo/process.ts';
import { operate } from '../store/operate.ts';
import type { HarnessWorkspace } from './workspace.ts';

/** Well before the recorded wait expires (core/rules/await.ts). */
const AGAIN_MS = 10_000;

export interface AwaitPlaces {
  /** Called at every look with the agents still awaited. The deadlock that the caller must resolve; `null` to keep waiting. */
  hold(agents: readonly AgentId[]): { readonly agent: AgentId; readonly deadlock: Deadlock } | null;
  leave(): void;
}

export function takePlaces(space: HarnessWorkspace, who: Who): AwaitPlaces {
  const proc = markProcess(process.pid);
  const next_mono_ms = new Map<AgentId, number>();
  const say = (agent: AgentId, phase: AwaitEvent['phase']): Deadlock | null =>
    operate(space.store, { type: 'agent.await', who, agent, phase, proc }, space.facts());
  const hold = (agent: AgentId): Deadlock | null => {
    const { mono_ms } = space.facts().now;
    const next = next_mono_ms.get(agent);
    if (next !== undefined && mono_ms < next && !isJudged(space, who.id)) return null;
    const dead = unlessHindered(() => say(agent, next === undefined ? 'begin' : 'go_on'));
    if (dead !== undefined) next_mono_ms.set(agent, mono_ms + AGAIN_MS);
    return dead ?? null;
  };
  const leave = (agent: AgentId): void => {
    unlessHindered(() => say(agent, 'end'));
    next_mono_ms.delete(agent);
  };
  return {
    hold(agents) {
      for (const agent of next_mono_ms.keys()) if (!agents.includes(agent)) leave(agent);
      for (const agent of agents) {
        const deadlock = hold(agent);
        if (deadlock !== null) return { agent, deadlock };
      }
      return null;
    },
    leave() {
      for (const agent of next_mono_ms.keys()) leave(agent);
    },
  };
}

const isJudged = ({ store }: HarnessWorkspace, id: AgentId): boolean => {
  const key = waitKey(id);
  return asWaitState(store.look([key]).get(key)).verdicts?.some(({ told }) => !told) === true;
};
