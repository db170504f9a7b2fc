/** Merges any number of commit pairs, with one git process per processor. */
import { availableParallelism } from 'node:os';
import { textOfBytes, type ForecastGit, type GitTask, inTurns } from './git.ts';
import { type MergedTree, mergesIn } from './merged.ts';

export interface CommitPair {
  readonly a: string;
  readonly b: string;
}

export interface MergedPair extends MergedTree {
  /** They have no common history, so git only merges them when told to. */
  readonly is_unrelated: boolean;
}

/** Why git could not merge: an object is missing, in a partial clone or a damaged repository. */
export interface Undecided {
  readonly undecided: string;
}

const BATCH_MIN = 16;

/** Results are in the order of `pairs`. */
export async function mergePairs(
  git: ForecastGit,
  call: GitTask,
  pairs: readonly CommitPair[],
): Promise<readonly (MergedPair | Undecided)[]> {
  const size = Math.max(BATCH_MIN, Math.ceil(pairs.length / availableParallelism()));
  const batches = Array.from({ length: Math.ceil(pairs.length / size) }, (_, nth) =>
    pairs.slice(nth * size, (nth + 1) * size),
  );
  return (await inTurns(batches, (batch) => mergeBatch(git, call, batch))).flat();
}

const MERGE = ['merge-tree', '--stdin', '-z'];

/** git stops at the first pair that it cannot merge at all; the rest is passed to it again. */
async function mergeBatch(
  git: ForecastGit,
  call: GitTask,
  pairs: readonly CommitPair[],
): Promise<readonly (MergedPair | Undecided)[]> {
  const results: (MergedPair | Undecided)[] = [];
  while (results.length < pairs.length) {
    const left = pairs.slice(results.length);
    const said = await git.run({ ...call, input: left.map(lineOf).join('') }, ...MERGE);
    const merged = mergesIn(said.out).slice(0, left.length);
    results.push(...merged.map((one) => ({ ...one, is_unrelated: false })));
    const [stopped] = left.slice(merged.length);
    if (stopped !== undefined) results.push(await mergeUnrelated(git, call, stopped, said.err));
  }
  return results;
}

const lineOf = ({ a, b }: CommitPair): string => `${a} ${b}\n`;

async function mergeUnrelated(
  git: ForecastGit,
  call: GitTask,
  pair: CommitPair,
  reason: string,
): Promise<MergedPair | Undecided> {
  const undecided = textOfBytes(reason).split('\n')[0] ?? '';
  if (!/unrelated histories/.test(reason)) return { undecided };
  const said = await git.run({ ...call, input: lineOf(pair) }, ...MERGE, '--allow-unrelated-histories');
  const [merged] = mergesIn(said.out);
  return merged === undefined ? { undecided } : { ...merged, is_unrelated: true };
}
