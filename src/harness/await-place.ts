/** Who waits for the end of an agent is on record as long as it waits, so that a circle of waits is found. */
import { waitKey } from '../core/keys.ts';
import type { Who } from '../core/rules/agent.ts';
import type { AwaitEvent } from '../core/rules/await.ts';
import type { Deadlock } from '../core/rules/deadlock.ts';
import { asWaitState } from '../core/states.ts';
import type { AgentId } from '../core/types.ts';
import { unlessBusy } from '../core/is-busy.ts';
import { markProcess } from '../repo/process.ts';
import { operate } from '../store/operate.ts';
import type { HarnessWorkspace } from './workspace.ts';

/** Well before what is on record runs out (core/rules/await.ts). */
const AGAIN_MS = 10_000;

export interface AwaitPlace {
  /** At every look. The deadlock that the caller has to end; null: go on waiting. */
  hold(): Deadlock | null;
  leave(): void;
}

export function takePlace(space: HarnessWorkspace, who: Who, agent: AgentId): AwaitPlace {
  const proc = markProcess(process.pid);
  let next_mono_ms: number | null = null;
  const say = (phase: AwaitEvent['phase']): Deadlock | null =>
    operate(space.store, { type: 'agent.await', who, agent, phase, proc }, space.facts());
  return {
    hold() {
      const { mono_ms } = space.facts().now;
      if (next_mono_ms !== null && mono_ms < next_mono_ms && !isJudged(space, who.id)) return null;
      const phase = next_mono_ms === null ? 'begin' : 'go_on';
      const dead = unlessBusy(() => say(phase));
      if (dead !== undefined) next_mono_ms = mono_ms + AGAIN_MS;
      return dead ?? null;
    },
    leave() {
      if (next_mono_ms !== null) unlessBusy(() => say('end'));
    },
  };
}

const isJudged = ({ store }: HarnessWorkspace, id: AgentId): boolean => {
  const key = waitKey(id);
  return asWaitState(store.look([key]).get(key)).verdicts?.some(({ told }) => !told) === true;
};
