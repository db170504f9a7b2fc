/** A world whose leases have a given scope, and the actions of its agents. */
import type { Policy } from '../../../src/core/types.ts';
import { agent, POLICY, proc, World } from '../world.ts';

export const a = agent('a', { proc: proc(1) });
export const b = agent('b');
export const c = agent('c');
export const [WA, WB, MAIN] = ['//wa/src/x.ts', '//wb/src/x.ts', 'src/x.ts'];

export function worldOf(lease_scope: Policy['lease_scope'], more: Partial<Policy> = {}): World {
  const world = new World();
  world.policy = { ...POLICY, ...more, ...(lease_scope ? { lease_scope } : {}) };
  return world;
}

export const as = (world: World, lease_scope: NonNullable<Policy['lease_scope']>): World => {
  world.policy = { ...world.policy, lease_scope };
  return world;
};

export const wait = (world: World, who: typeof a, path: string) =>
  world.run({
    ...{ type: 'lock.acquire', who, paths: [path], mode: 'exclusive', ttl_ms: null, all: false },
    wait_until_mono_ms: world.mono_ms + 60_000,
  });

export const reserve = (world: World, who: typeof a, scope: string, pattern: string) =>
  world.run({
    ...{ type: 'reserve', who, scope, patterns: [pattern], mode: 'exclusive', reason: 'work' },
    ...{ ttl_ms: 600_000, all: false, dry: false },
  });

export const got = (results: readonly { readonly acquired: boolean }[]): boolean[] =>
  results.map(({ acquired }) => acquired);
