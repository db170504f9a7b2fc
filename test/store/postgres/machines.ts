/** Machines that share a ledger on a real server: guard's own rules, with separate clocks. */
import type { EventOf, EventType, Rules } from '../../../src/core/decide.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import type { Facts } from '../../../src/core/types.ts';
import { operate } from '../../../src/store/operate.ts';
import type { Store } from '../../../src/store/store.ts';
import { agent, POLICY } from '../../core/world.ts';

export interface MachinePlan {
  readonly id: string;
  readonly ttl_ms: number;
  /** How far the machine's wall clock is ahead. */
  readonly ahead_ms?: number;
}

export function machineOn(store: Store<'later'>, { id, ttl_ms, ahead_ms = 0 }: MachinePlan) {
  let asleep_ms = 0;
  const facts = (): Facts => ({
    now: {
      mono_ms: performance.now() - asleep_ms,
      boot: `boot-${id}`,
      wall_ms: Date.now() + ahead_ms,
    },
    policy: { ...POLICY, ttl_ms, idle_ms: 100 * ttl_ms },
    machine: id,
    isDead: () => false,
    guard_command: 'guard',
  });
  const run = <T extends EventType>(event: EventOf<T>): Promise<Rules[T]['result']> =>
    operate(store, event, facts());
  return {
    run,
    /** Its monotonic clock stood still in that time. */
    slept: (duration_ms: number) => void (asleep_ms += duration_ms),
    who: (name: string): Who =>
      agent(name, { proc: { pid: 7, start: '7', boot: `boot-${id}`, pid_ns: 'n', machine: id } }),
    /** Returns the token; `null` if another agent has one of the paths. */
    async lock(who: Who, ...paths: readonly string[]): Promise<number | null> {
      const told = await run({
        ...{ type: 'lock.acquire', who, paths, mode: 'exclusive', ttl_ms: null, all: true },
        wait_until_mono_ms: null,
      });
      return told.every(({ acquired }) => acquired) ? Number(told[0]?.token) : null;
    },
    release: (who: Who, ...paths: readonly string[]) => run({ type: 'lock.release', who, paths }),
    begin(who: Who, path: string) {
      const disk = { state: 'missing', digest: null, ctime_ms: 0 } as const;
      const target = {
        path,
        abs: `/repo/${path}`,
        disk,
        form: null,
        baseline: null,
        seen_touched: 0,
        objections: [],
      };
      return run({ type: 'write.begin', who, op: 'op', tool: 'Write', home: null, targets: [target] });
    },
  };
}
