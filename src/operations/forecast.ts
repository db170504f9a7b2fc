/** What would conflict if all checkouts of a repository were merged now, including what is not committed in them. */
import { resolve } from 'node:path';
import { type ForecastAnswer, forecastOf } from '../forecast/answer.ts';
import { type ForecastLook, lookAhead } from '../forecast/look.ts';
import type { ForecastTurn } from '../forecast/keep.ts';
import { inForecastDir, repositoryAt } from '../forecast/place.ts';
import { type TriedMerge, tryMerged } from '../forecast/try-merged.ts';
import type { Surroundings } from '../workspace/workspace.ts';
import { flag, listOf, neverEmpty, optional, text, withDefault } from './field.ts';
import { operation } from './operation.ts';

export interface ForecastReport extends ForecastAnswer {
  /** Results of `run`: for everything that merges, then for pairs. */
  readonly runs?: readonly TriedMerge[];
}

/** Each may take as long as a project's tests. */
const PAIRS_MAX = 50;

export const FORECAST = operation(
  'forecast',
  {
    trunk: neverEmpty(optional(text('What everything is merged into: a branch or commit'))),
    changed: optional(listOf('Only these files may have changed since the last forecast', text('A path'))),
    run: neverEmpty(optional(text('A command to run on the merged result', { max_chars: 10_000 }))),
    each_pair: withDefault(flag('Also run it on every two that merge cleanly'), false),
  },
  async ({ trunk, changed, run, each_pair }, { cwd, env }: Surroundings): Promise<ForecastReport> => {
    const repository = await repositoryAt(cwd, env);
    return inForecastDir(repository, async (dir, turn) => {
      const paths = changed?.map((path) => resolve(cwd, path));
      const look = await lookAhead({ env, repository, dir, trunk, changed: paths });
      const answer = forecastOf(look);
      if (run === undefined) return answer;
      const { runs, notes } = await tryAll(look, answer, { env, command: run, each_pair, turn });
      return { ...answer, runs, notes: [...answer.notes, ...notes] };
    });
  },
);

interface TryWish {
  readonly env: Surroundings['env'];
  readonly command: string;
  readonly each_pair: boolean;
  readonly turn: ForecastTurn;
}

async function tryAll(
  { git, cwd, trunk, checkouts }: ForecastLook,
  { order, pairs }: ForecastAnswer,
  { env, command, each_pair, turn }: TryWish,
): Promise<{ readonly runs: readonly TriedMerge[]; readonly notes: readonly string[] }> {
  const commits = new Map(checkouts.map(({ id, taken }) => [id, taken?.commit ?? '']));
  const trying = { git, cwd, env, command, turn, trunk: trunk?.commit ?? null };
  const tried = (ids: readonly string[]): Promise<TriedMerge> =>
    tryMerged(
      trying,
      ids.map((id) => ({ id, commit: commits.get(id) ?? '' })),
    );
  const runs = [await tried(order.first)];
  if (!each_pair) return { runs, notes: [] };
  const bad = new Set(pairs.flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]));
  const twos = order.first.flatMap((a, nth) => order.first.slice(nth + 1).map((b) => [a, b] as const));
  const clean = twos.filter(([a, b]) => !bad.has(`${a} ${b}`));
  for (const two of clean.slice(0, PAIRS_MAX)) runs.push(await tried(two));
  const left = clean.length - PAIRS_MAX;
  return { runs, notes: left > 0 ? [`The command was run on ${PAIRS_MAX} pairs; ${left} are left.`] : [] };
}
