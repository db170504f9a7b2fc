/** What `r` asks a holder for, and then takes: the same files. */
import type { AgentId, RepoPath } from '../../core/types.ts';
import { foldPaths } from './fold.ts';
import type { BoardView, HeldFiles } from './rows.ts';

const ofDirectory = (path: RepoPath): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A pattern stands for the files of a directory only if the agent has locked no others there. */
export function heldFilesOf(view: BoardView, by: AgentId, paths: readonly RepoPath[]): HeldFiles {
  const wanted = new Set(paths);
  const others =
    wanted.size < 2 ? [] : view.told.leases.filter(({ holder, path }) => holder === by && !wanted.has(path));
  const mixed = new Set(others.map(({ path }) => ofDirectory(path)));
  const areas = foldPaths([...wanted]).flatMap(({ area, paths: some }) =>
    some.length > 1 && mixed.has(ofDirectory(some[0] ?? '')) ? some : [area],
  );
  return { by, name: view.nameOf(by), paths: [...wanted], areas };
}
