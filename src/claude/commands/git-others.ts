/** Files of a repository with which another live agent has to do. */
import { isAlive, isIntentLive } from '../../core/alive.ts';
import { isGitName } from '../../core/git-names.ts';
import { AGENTS, agentOfKey, PATHS, pathOfKey } from '../../core/keys.ts';
import { isShadow } from '../../core/shadow.ts';
import { changesOver } from '../../core/states.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import { liveHolds } from '../../core/rules/lease.ts';
import type { HookSpace, Hook } from '../context.ts';
import { consult } from '../../store/transact.ts';

export interface OthersFile {
  readonly path: RepoPath;
  readonly abs: string;
  /** Locked, or being written. False: one of them wrote it last. */
  readonly is_held: boolean;
  readonly agents: readonly AgentId[];
}

/** Nobody holds a path, and no author is alive, that was last touched before anybody else who is alive had joined. */
export function othersFiles({ who }: Hook, space: HookSpace): readonly OthersFile[] {
  const facts = space.facts();
  return consult(space.store, (view) => {
    const changes = changesOver(view);
    const others = view
      .range(AGENTS)
      .map(([key]) => agentOfKey(key))
      .filter((id) => id !== who.id && isAlive(changes, id, facts));
    if (others.length === 0) return [];
    const since = Math.min(...others.map((id) => changes.agent(id)?.joined_lsn ?? 0));
    const paths = view.range(PATHS, since).map(([key]) => pathOfKey(key));
    return paths
      .filter((path) => !isShadow(path) && !isGitName(path))
      .flatMap((path): readonly OthersFile[] => {
        const { intent, last_write } = changes.path(path);
        const holders = liveHolds(changes, path, facts).map(({ agent }) => agent);
        const writer = isIntentLive(changes, intent, facts) ? [intent.agent] : [];
        const holding = [...holders, ...writer].filter((agent) => agent !== who.id);
        const author = last_write !== null && others.includes(last_write.agent) ? [last_write.agent] : [];
        const agents = [...new Set([...holding, ...author])];
        if (agents.length === 0) return [];
        return [{ path, abs: facts.spelled?.(path) ?? path, is_held: holding.length > 0, agents }];
      });
  });
}
