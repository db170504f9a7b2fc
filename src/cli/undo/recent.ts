/** What could be undone: the newest changes, file by file. */
import { pathKey } from '../../core/keys.ts';
import type { Who } from '../../core/rules/who.ts';
import { asPathState } from '../../core/states.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import { isBy } from '../../core/undo-wish.ts';
import { changedIn, type Version, versionsOf } from '../../core/versions.ts';
import { keptContent } from '../../contents/read-content.ts';
import { baselineFiles } from '../../workspace/baseline-file.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { allRecords } from './history.ts';

export interface RecentChange extends Version {
  readonly path: RepoPath;
  /** Whether its `from` can be restored. */
  readonly available: boolean;
}

/** This many fit a terminal; to see more, name a file or an agent. */
const SHOWN_MAX = 30;

/** Newest first. A person sees everyone's; an agent sees those of others to files that it holds or has seen. */
export function recentChanges(space: Workspace, who: Who): readonly RecentChange[] {
  const all = [...changesByPath(space)].flatMap(([path, versions]) =>
    versions.map((version) => ({ path, version })),
  );
  return all
    .filter(({ path, version }) => concerns(space, who, path, version))
    .toSorted((a, b) => (b.version.lsn ?? 0) - (a.version.lsn ?? 0))
    .slice(0, SHOWN_MAX)
    .map(({ path, version }) => ({ path, ...version, available: isAvailable(space, version) }));
}

/** Files that this agent changed. */
export const changedPathsOf = (space: Workspace, agent: AgentId): readonly RepoPath[] =>
  [...changesByPath(space)]
    .filter(([, versions]) => versions.some((version) => isBy(version, agent)))
    .map(([path]) => path)
    .toSorted();

/** One pass over the ledger finds all files; each has few records. */
function changesByPath(space: Workspace): ReadonlyMap<RepoPath, readonly Version[]> {
  const found = new Map<RepoPath, Parameters<typeof versionsOf>[0] & unknown[]>();
  for (const record of allRecords(space)) {
    const paths = record.type === 'intent' ? [record['paths']].flat().map(String) : changedIn(record);
    for (const path of paths) {
      const records = found.get(path) ?? [];
      records.push(record);
      found.set(path, records);
    }
  }
  return new Map([...found].map(([path, records]) => [path, versionsOf(records, path)]));
}

function concerns(space: Workspace, who: Who, path: RepoPath, version: Version): boolean {
  if (who.kind === 'person') return true;
  if (version.agents.length === 1 && version.agents[0] === who.id) return false;
  const state = asPathState(space.store.look([pathKey(path)]).get(pathKey(path)));
  return (
    state.holds.some(({ agent }) => agent === who.id) ||
    baselineFiles(space.state_dir, who.id).read(path) !== null
  );
}

const isAvailable = ({ repo }: Workspace, { from }: Version): boolean =>
  from === null || (from !== undefined && keptContent(repo.state_dir, from) !== null);
