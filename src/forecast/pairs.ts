/** Every pair of checkouts, and each one with the trunk. Pairs without a kept result are merged. */
import { detailsOf } from './details.ts';
import type { ForecastGit } from './git.ts';
import type { Kept, KeptPair } from './keep.ts';
import { mergePairs } from './merge.ts';
import type { Taken } from './take.ts';
import type { Trunk } from './trunk.ts';

export interface JudgedPair {
  readonly a: string;
  readonly b: string;
  /** Null: git could not merge them. */
  readonly found: KeptPair | null;
  readonly undecided: string | null;
}

interface Judging {
  readonly checkouts: readonly { readonly id: string; readonly taken: Taken | null }[];
  readonly trunk: Trunk | null;
  readonly kept: Kept;
}

interface WantedPair {
  readonly a: string;
  readonly b: string;
  readonly key: string;
  readonly commits: { readonly a: string; readonly b: string };
}

export interface JudgedPairs {
  readonly with_trunk: readonly JudgedPair[];
  readonly pairs: readonly JudgedPair[];
  readonly kept: Kept['pairs'];
}

export async function judgePairs(
  git: ForecastGit,
  cwd: string,
  { checkouts, trunk, kept }: Judging,
): Promise<JudgedPairs> {
  const sides = checkouts.flatMap(({ id, taken }) =>
    taken?.commit == null ? [] : [{ id, commit: taken.commit }],
  );
  const of_trunk =
    trunk === null ? [] : sides.map((one) => wanted({ id: trunk.name, commit: trunk.commit }, one));
  const of_pairs = sides.flatMap((a, nth) => sides.slice(nth + 1).map((b) => wanted(a, b)));
  const all = new Map([...of_trunk, ...of_pairs].map((one) => [one.key, one]));
  const todo = [...all.values()].filter(({ key }) => !Object.hasOwn(kept.pairs, key));
  const results = await mergePairs(
    git,
    { cwd },
    todo.map(({ commits }) => commits),
  );
  const merged = results.map((one) =>
    'undecided' in one ? { tree: '', conflicts: [], is_unrelated: false } : one,
  );
  const details = await detailsOf(git, { cwd }, merged);
  const undecided = new Map<string, string>();
  const known = new Map<string, KeptPair>();
  for (const [nth, { key }] of todo.entries()) {
    const one = results[nth];
    if (one === undefined) continue;
    if ('undecided' in one) undecided.set(key, one.undecided);
    else known.set(key, { tree: one.tree, conflicts: details[nth] ?? [], is_unrelated: one.is_unrelated });
  }
  for (const key of all.keys()) {
    const before = kept.pairs[key];
    if (before !== undefined) known.set(key, before);
  }
  const judged = ({ a, b, key }: WantedPair): JudgedPair => ({
    ...{ a, b, found: known.get(key) ?? null, undecided: undecided.get(key) ?? null },
  });
  return {
    with_trunk: of_trunk.map(judged),
    pairs: of_pairs.map(judged),
    kept: Object.fromEntries(known),
  };
}

interface Side {
  readonly id: string;
  readonly commit: string;
}

const wanted = (a: Side, b: Side): WantedPair => ({
  ...{ a: a.id, b: b.id, key: `${a.commit} ${b.commit}`, commits: { a: a.commit, b: b.commit } },
});
