// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** An agent's open writes name the checkouts in which it writes, so no checkout has to be searched. */
import { leaseIn } from './lease-scope.ts';
import type { Changes } from './states.ts';
import type { AgentId, RepoPath } from './types.ts';

/** The same file in any checkout in which its lease counts, as far as the agent's open calls name it. */
export const writesBeside = (changes: Changes, path: RepoPath, id: AgentId): RepoPath[] =>
  openWrites(changes, id).filter((one) => leaseIn(changes, one) === leaseIn(changes, path));

/** What the agent's unfinished calls were approved to write. */
export function openWrites(changes: Changes, id: AgentId): readonly RepoPath[] {
  const { op, commands = [] } = changes.agent(id) ?? {};
  return [...(op?.paths ?? []), ...commands.flatMap(({ paths }) => paths)];
}
