/** Agents a, b, c, d in order of joining, and the building blocks of cycles; rules only, no engine. */
import { statusOf } from '../../../src/core/report.ts';
import { viewOf } from '../../../src/core/fold.ts';
import type { AcquireResult } from '../../../src/core/rules/acquire.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import type { Policy } from '../../../src/core/types.ts';
import { agent, proc, World } from '../world.ts';

export const [a, b, c, d] = [1, 2, 3, 4].map((n) => agent('abcd'.charAt(n - 1), { proc: proc(n) })) as [
  Who,
  Who,
  Who,
  Who,
];

interface Wish {
  readonly mode?: 'shared' | 'exclusive';
  readonly all?: boolean;
  readonly for_ms?: number;
}

export function wait(
  world: World,
  who: Who,
  paths: string | readonly string[],
  wish: Wish = {},
): readonly AcquireResult[] {
  return world.run({
    type: 'lock.acquire',
    who,
    paths: [paths].flat(),
    mode: wish.mode ?? 'exclusive',
    ttl_ms: null,
    all: wish.all ?? false,
    wait_until_mono_ms: world.mono_ms + (wish.for_ms ?? 20_000),
  });
}
export const share = (world: World, who: Who, path: string) =>
  world.run({
    type: 'lock.acquire',
    who,
    paths: [path],
    mode: 'shared',
    ttl_ms: null,
    all: false,
    wait_until_mono_ms: null,
  });

/** The recorded victims and cycles, in order. */
export const found = (world: World) =>
  world.records
    .filter(({ type }) => type === 'deadlock')
    .map((record) => [
      record['victim'],
      (record['cycle'] as unknown as { from: string }[]).map(({ from }) => from),
    ]);
export const kinds = (world: World) =>
  statusOf(viewOf(world.states), world.facts).cycles.map(({ kind }) => kind);
export const errors = (results: readonly AcquireResult[]) => results.map(({ error }) => error);

export function world(policy: Partial<Policy> = {}): World {
  const made = new World();
  made.policy = { ...made.policy, ...policy };
  return made;
}

/** Each agent, in order of joining, holds one of the files x, y and z. */
export function holding(...agents: readonly Who[]): World {
  const made = world();
  agents.forEach((who, n) => made.lock(who, 'xyz'.charAt(n)));
  return made;
}
