/** Files of a repository with which another live agent has to do. */
import { isIntentLive } from '../../core/alive.ts';
import { isGitName } from '../../core/git-names.ts';
import { PATHS, pathOfKey } from '../../core/keys.ts';
import { aliveIn, oldestOf } from '../../core/living.ts';
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
    const others = aliveIn(view, changes, facts).filter((id) => id !== who.id);
    if (others.length === 0) return [];
    const paths = view.range(PATHS, oldestOf(changes, others)).map(([key]) => pathOfKey(key));
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
