/** Many files of one directory as one row, and as one pattern. */
import { grouped } from '../../core/grouped.ts';
import { plain } from '../../core/plain.ts';
import type { RepoPath } from '../../core/types.ts';

interface Folded {
  /** `src/a.ts`, or `12 files in src`. */
  readonly words: () => string;
  readonly paths: readonly RepoPath[];
  /** The file, or a pattern that covers all of them. */
  readonly area: string;
}

/** Up to this many are listed by name. */
const APART = 3;

/** Ordered by the first file of each. */
export function foldPaths(paths: readonly RepoPath[], is_folded = true): readonly Folded[] {
  const single = (path: RepoPath): Folded => ({ words: () => plain(path), paths: [path], area: path });
  if (!is_folded) return paths.map(single);
  const groups = grouped(paths, (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  return [...groups].flatMap(([dir, group]) =>
    group.length <= APART
      ? group.map(single)
      : [
          {
            words: () => `${group.length} files in ${dir === '' ? '.' : plain(dir)}`,
            paths: group,
            area: dir === '' ? '*' : `${dir}/*`,
          },
        ],
  );
}
