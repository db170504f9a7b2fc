/** Turns a look into its answer: what conflicts, and what to merge first. Pure. */
import type { ForecastLook, SeenCheckout } from './look.ts';
import type { FileConflict } from './merged.ts';
import { type Hub, hubsOf, type Order, orderOf } from './order.ts';
import type { JudgedPair } from './pairs.ts';
import type { Taken } from './take.ts';

interface ForecastCheckout {
  readonly id: string;
  readonly path: string;
  readonly branch: string | null;
  readonly head: string | null;
  readonly operation: Taken['operation'];
  readonly looked_at: Taken['looked_at'] | 'nothing';
  readonly locked: boolean;
  /** It has something that the trunk does not have. */
  readonly has_own: boolean;
}

interface Conflicting {
  readonly files: readonly string[];
  readonly conflicts: readonly FileConflict[];
}

interface ForecastPair extends Conflicting {
  readonly a: string;
  readonly b: string;
  /** One of them has nothing that the trunk does not have: the other conflicts with the trunk, or with an earlier state of it. */
  readonly of_trunk: boolean;
}

export interface ForecastAnswer {
  readonly trunk_ref: ForecastLook['trunk'];
  readonly checkouts: readonly ForecastCheckout[];
  readonly trunk: readonly (Conflicting & { readonly id: string })[];
  readonly pairs: readonly ForecastPair[];
  readonly order: Order;
  readonly hubs: readonly Hub[];
  readonly notes: readonly string[];
}

export function forecastOf({ checkouts, trunk, with_trunk, pairs, notes }: ForecastLook): ForecastAnswer {
  const merged_trunk = new Map(with_trunk.map((one) => [one.b, one]));
  const hasOwn = ({ id, taken }: SeenCheckout): boolean =>
    taken?.commit != null && (trunk === null || merged_trunk.get(id)?.found?.tree !== trunk.tree);
  const own = checkouts.filter(hasOwn).map(({ id }) => id);
  const of_pairs = pairs.filter(isConflict).map((one) => ({
    ...{ a: one.a, b: one.b, ...conflictingIn(one) },
    of_trunk: !own.includes(one.a) || !own.includes(one.b),
  }));
  const of_trunk = with_trunk.filter(isConflict).map((one) => ({ id: one.b, ...conflictingIn(one) }));
  const bad = of_pairs.filter((one) => !one.of_trunk).map(({ a, b }) => [a, b] as const);
  const stopped = new Set(of_trunk.map(({ id }) => id));
  return {
    trunk_ref: trunk,
    checkouts: checkouts.map((one) => checkoutOf(one, own.includes(one.id))),
    ...{ trunk: of_trunk, pairs: of_pairs, order: orderOf(own, stopped, bad), hubs: hubsOf(own, bad) },
    notes: [...notes, ...notesOn(checkouts), ...notesOnPairs([...with_trunk, ...pairs])],
  };
}

const isConflict = ({ found }: JudgedPair): boolean => found !== null && found.conflicts.length > 0;

const conflictingIn = ({ found }: JudgedPair): Conflicting => {
  const conflicts = found?.conflicts ?? [];
  return { files: [...new Set(conflicts.map(({ path }) => path))], conflicts };
};

const checkoutOf = (one: SeenCheckout, has_own: boolean): ForecastCheckout => ({
  ...{ id: one.id, path: one.path, branch: one.taken?.branch ?? one.branch, head: one.head },
  ...{ operation: one.taken?.operation ?? null, looked_at: one.taken?.looked_at ?? 'nothing' },
  ...{ locked: one.is_locked, has_own },
});

function notesOn(checkouts: readonly SeenCheckout[]): readonly string[] {
  return checkouts.flatMap(({ id, is_there, is_locked, taken }) => [
    ...(is_there
      ? []
      : [is_locked ? `${id}: locked, and its directory is missing; only its commits count.` : gone(id)]),
    ...(is_there && taken?.looked_at === 'commits' && taken.operation !== null
      ? [midway(id, taken.operation)]
      : []),
    ...(taken?.notes ?? []),
  ]);
}

const gone = (id: string): string => `${id}: its directory is missing; left out (git worktree prune).`;

const midway = (id: string, operation: string): string =>
  operation === 'unmerged'
    ? `${id}: has unmerged files; only its commits count.`
    : `${id}: in the middle of a ${operation}; only its commits count.`;

const notesOnPairs = (pairs: readonly JudgedPair[]): readonly string[] =>
  pairs.flatMap(({ a, b, found, undecided }) => [
    ...(found?.is_unrelated === true
      ? [`${a}, ${b}: no common history; git merges them only if told to.`]
      : []),
    ...(undecided === null ? [] : [`${a}, ${b}: git cannot merge them: ${undecided}`]),
  ]);
