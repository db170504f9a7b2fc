import type { ReserveEvent, ReserveResult } from '../../../src/core/rules/reserve-event.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { agent, proc, type World } from '../world.ts';

export const [a, b, c] = [1, 2, 3].map((n) => agent('abc'.charAt(n - 1), { proc: proc(n) })) as [
  Who,
  Who,
  Who,
];

export const reserve = (
  world: World,
  who: Who,
  patterns: string | readonly string[],
  wish: Partial<ReserveEvent> = {},
): readonly ReserveResult[] =>
  world.run({
    type: 'reserve',
    who,
    scope: '',
    patterns: [patterns].flat(),
    mode: 'exclusive',
    reason: 'refactoring',
    ttl_ms: 900_000,
    all: false,
    dry: false,
    ...wish,
  });

export const got = (results: readonly ReserveResult[]): boolean[] =>
  results.map(({ reservation }) => reservation !== null);

export const idOf = ([first]: readonly ReserveResult[]): string => first?.reservation?.id ?? 'none';

export const tries = (world: World, who: Who, path: string): (string | null)[] =>
  world.lock(who, path).map(({ acquired, holder }) => (acquired ? 'got' : holder));
