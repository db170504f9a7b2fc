/** Looks up the conflicting lines of all pairs with a single git process. */
import { textOfBytes, type ForecastGit, type GitTask } from './git.ts';
import { conflictLines } from './lines.ts';
import type { FileConflict, MergedTree, MergeConflict } from './merged.ts';

/** Files per pair; any others are listed without lines. */
const FILES_MAX = 50;
const BYTES_MAX = 1 << 20;

/** If a directory takes its place, git moves a file aside, and appends the commit it is from to the name. */
const ASIDE = /~[0-9a-f]{40,64}(?:_\d+)?$/;

/** The conflicts of each merge, in order. */
export async function detailsOf(
  git: ForecastGit,
  call: GitTask,
  merges: readonly MergedTree[],
): Promise<readonly (readonly FileConflict[])[]> {
  const asked = merges.flatMap(({ tree, conflicts }) =>
    conflicts.slice(0, FILES_MAX).flatMap((one) => namesOf(tree, one)),
  );
  const blobs = await blobsOf(git, call, [...new Set(asked)]);
  return merges.map(({ tree, conflicts }) =>
    conflicts.map((one) => {
      const [merged, first, second] = namesOf(tree, one).map((name) => blobs.get(name));
      const path = textOfBytes(one.path.replace(ASIDE, ''));
      if (merged === undefined || first === undefined || second === undefined)
        return { path, kind: one.kind };
      return { path, kind: one.kind, ...conflictLines(merged, first, second) };
    }),
  );
}

/** The merged file and both sides. A name with a line break cannot be queried. */
const namesOf = (tree: string, { path, sides }: MergeConflict): readonly string[] =>
  sides === null || path.includes('\n') ? [] : [`${tree}:${path}`, ...sides];

async function blobsOf(
  git: ForecastGit,
  call: GitTask,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (names.length === 0) return found;
  const input = names.map((name) => `${name}\n`).join('');
  const sizes = await git.ask({ ...call, input }, 'cat-file', '--batch-check=%(objecttype) %(objectsize)');
  const lines = sizes.split('\n');
  const small = names.filter((_, nth) => {
    const [, size] = /^blob (\d+)$/.exec(lines[nth] ?? '') ?? [];
    return size !== undefined && Number(size) <= BYTES_MAX;
  });
  const wanted = small.map((name) => `${name}\n`).join('');
  const said = await git.ask({ ...call, input: wanted }, 'cat-file', '--batch=%(objectsize)');
  let at = 0;
  for (const name of small) {
    const end = said.indexOf('\n', at);
    const size = Number(said.slice(at, end));
    found.set(name, said.slice(end + 1, end + 1 + size));
    at = end + size + 2;
  }
  return found;
}
