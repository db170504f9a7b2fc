/** What could be undone: the newest changes, file by file. */
import { pathKey } from '../../core/keys.ts';
import type { Who } from '../../core/rules/agent.ts';
import { asPathState } from '../../core/states.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import { isBy } from '../../core/undo-wish.ts';
import { changedIn, versionsOf } from '../../core/versions.ts';
import type { Version } from '../../core/versions.ts';
import { keptContent } from '../../contents/read-content.ts';
import type { CliLedger } from '../ledger.ts';
import { allRecords } from './history.ts';

export interface RecentChange extends Version {
  readonly path: RepoPath;
  /** Its `from` can be put back. */
  readonly available: boolean;
}

/** So many fit a terminal; whoever wants more names a file or an agent. */
const SHOWN_MAX = 30;

/** Newest first. A person is shown everybody's; an agent those of others to files that it holds or has seen. */
export function recentChanges(ledger: CliLedger, who: Who): readonly RecentChange[] {
  const all = [...changesByPath(ledger)].flatMap(([path, versions]) =>
    versions.map((version) => ({ path, version })),
  );
  return all
    .filter(({ path, version }) => concerns(ledger, who, path, version))
    .toSorted((a, b) => (b.version.lsn ?? 0) - (a.version.lsn ?? 0))
    .slice(0, SHOWN_MAX)
    .map(({ path, version }) => ({ path, ...version, available: isAvailable(ledger, version) }));
}

/** Files that this agent changed. */
export const changedPathsOf = (ledger: CliLedger, agent: AgentId): readonly RepoPath[] =>
  [...changesByPath(ledger)]
    .filter(([, versions]) => versions.some((version) => isBy(version, agent)))
    .map(([path]) => path)
    .toSorted();

/** One pass over the ledger finds the files; those of each are few. */
function changesByPath(ledger: CliLedger): ReadonlyMap<RepoPath, readonly Version[]> {
  const found = new Map<RepoPath, Parameters<typeof versionsOf>[0] & unknown[]>();
  for (const record of allRecords(ledger)) {
    const paths = record.type === 'intent' ? [record['paths']].flat().map(String) : changedIn(record);
    for (const path of paths) {
      const records = found.get(path) ?? [];
      records.push(record);
      found.set(path, records);
    }
  }
  return new Map([...found].map(([path, records]) => [path, versionsOf(records, path)]));
}

function concerns(ledger: CliLedger, who: Who, path: RepoPath, version: Version): boolean {
  if (who.kind === 'person') return true;
  if (version.agents.length === 1 && version.agents[0] === who.id) return false;
  const state = asPathState(ledger.store.look([pathKey(path)]).get(pathKey(path)));
  return state.holds.some(({ agent }) => agent === who.id) || ledger.seen(who.id, path) !== null;
}

const isAvailable = ({ repo }: CliLedger, { from }: Version): boolean =>
  from === null || (from !== undefined && keptContent(repo.state_dir, from) !== null);
