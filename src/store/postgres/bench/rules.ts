/** The same locks by guard's own rules, in a separate repository. */
import type { Facts, Policy } from '../../../core/types.ts';
import type { Who } from '../../../core/rules/who.ts';
import { monotonic, wallMs } from '../../../repo/clock.ts';
import { operate } from '../../operate.ts';
import type { Store } from '../../store.ts';
import type { LockWays } from './yardstick.ts';

interface Crowd {
  readonly machines: number;
  readonly policy: Policy;
}

export function byRules(store: Store<'later'>, { machines, policy }: Crowd): LockWays {
  const factsOf = (agent: number): Facts => {
    const machine = `bench-${agent % machines}`;
    const now = { mono_ms: monotonic(), wall_ms: wallMs(), boot: machine };
    return { now, policy, machine, isDead: () => false, guard_command: 'guard' };
  };
  const whoOf = (agent: number): Who => ({
    ...{ id: `agent-${agent}`, kind: 'session', parent: null, session: `agent-${agent}`, proc: null },
  });
  return {
    arrive: (agent) => operate(store, { type: 'agent.present', who: whoOf(agent) }, factsOf(agent)),
    async acquire(agent, paths) {
      const event = { type: 'lock.acquire', who: whoOf(agent), paths, mode: 'exclusive', all: true } as const;
      const told = await operate(store, { ...event, ttl_ms: null, wait_until_mono_ms: null }, factsOf(agent));
      return told.every(({ acquired }) => acquired);
    },
    release: (agent, paths) =>
      operate(store, { type: 'lock.release', who: whoOf(agent), paths }, factsOf(agent)),
    end: () => store.close(),
  };
}
