import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Clone, cloneIds, cloneIn, gitDirsIn } from '../../repo/clones.ts';
import { namesIn } from '../../repo/names-in.ts';
import { checking, fail, type Finding, ok, type Patient, warn } from '../check.ts';
import { forgetClone, isClone } from '../shared-ledger.ts';

/** Clones that share a ledger: who owns it, which clones share it, and whether each of them still confirms that. */
export const sharedLedger = checking('shared_ledger', ({ repo }) => {
  const { state_dir, joined } = repo;
  // The check of the state directory reports a fault in its own membership.
  if (!existsSync(state_dir) || joined?.fault !== undefined) return [];
  const clones = cloneIds(state_dir).map((id) => [id, cloneIn(state_dir, id)] as const);
  if (clones.length === 0) return [];
  const whose =
    joined === undefined ? 'its own' : `that of ${dirname(joined.holder)}, where it is ${joined.id}`;
  const facts = { state_dir, clones: clones.map(([id, clone]) => `${id} ${clone?.root ?? ''}`.trim()) };
  const wrong = [
    ...clones.flatMap(stray),
    ...named(
      gitDirsIn(repo),
      clones.map(([id]) => id),
    ),
  ];
  return wrong.length > 0
    ? wrong
    : ok(`The ledger is ${whose}; clones that share it: ${clones.length}`, { facts });
});

type Row = readonly [id: string, clone: Clone | null];

function stray([id, clone]: Row): readonly Finding[] {
  if (clone !== null && isClone(clone.common_dir, id)) return [];
  const where = clone === null ? 'a place that is not recorded' : clone.root;
  return [
    warn(`A clone that shared the ledger (${id}) is no longer in ${where}`, {
      facts: { id, root: clone?.root ?? null },
      hint: 'If it was moved, run in it: guard init --join DIR. If it is gone: guard doctor --fix',
      fixable: true,
    }),
  ];
}

/** git never gives a worktree such a name, but one that a person made by hand would be taken for the clone. */
function named(dirs: readonly string[], ids: readonly string[]): readonly Finding[] {
  const names = new Set(dirs.flatMap((dir) => namesIn(join(dir, 'worktrees'))));
  return ids
    .filter((id) => names.has(id))
    .map((id) =>
      fail(`A worktree has the name of a clone that shares the ledger: ${id}`, {
        facts: { id },
        hint: 'Remove the worktree, and add it under another name.',
      }),
    );
}

/** Forgets the clones that no longer confirm that they share it. */
export const forgetClones = ({ repo: { state_dir } }: Patient): readonly string[] =>
  cloneIds(state_dir).flatMap((id) => {
    const clone = cloneIn(state_dir, id);
    if (clone !== null && isClone(clone.common_dir, id)) return [];
    forgetClone(state_dir, id);
    return [`shared_ledger: forgot ${id}`];
  });
