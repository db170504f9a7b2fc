/** Files of a repository that another live agent holds, is writing, or wrote last. */
import { isAlive, isIntentLive } from '../../core/alive.ts';
import { isGitName } from '../../core/git-names.ts';
import { pathsMet } from '../../core/paths-at.ts';
import { isShadow } from '../../core/shadow.ts';
import { changesOver } from '../../core/states.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import { holdsHere } from '../../core/rules/holds-here.ts';
import type { HookSpace, Hook } from '../context.ts';
import { consult } from '../../store/transact.ts';
import { isLocated, locate } from '../events/targets.ts';
import { areaOf } from './areas.ts';

export interface OthersFile {
  readonly path: RepoPath;
  readonly abs: string;
  /** Locked, or being written. False: the agent was its last writer. */
  readonly is_held: boolean;
  readonly agents: readonly AgentId[];
}

/** @param within absolute paths of files, and of directories with everything in them. Null: everywhere */
export function othersFiles(
  hook: Hook,
  space: HookSpace,
  within: readonly string[] | null,
): readonly OthersFile[] {
  const facts = space.facts();
  const { places, covers } = within === null ? EVERYWHERE : areaWithin(hook, space, within);
  return consult(space.store, (view) => {
    const changes = changesOver(view);
    const isOther = (id: AgentId): boolean =>
      id !== hook.who.id && changes.agent(id) !== undefined && isAlive(changes, id, facts);
    return pathsMet({ view, changes, facts }, places, covers).flatMap((path): readonly OthersFile[] => {
      if (isShadow(path) || isGitName(path)) return [];
      const { intent, last_write } = changes.path(path);
      const holders = holdsHere(changes, path, facts).map(({ agent }) => agent);
      const writer = isIntentLive(changes, intent, facts) ? [intent.agent] : [];
      const holding = [...holders, ...writer].filter((agent) => agent !== hook.who.id);
      const author = last_write !== null && isOther(last_write.agent) ? [last_write.agent] : [];
      const agents = [...new Set([...holding, ...author])];
      if (agents.length === 0) return [];
      return [{ path, abs: facts.spelled?.(path) ?? path, is_held: holding.length > 0, agents }];
    });
  });
}

interface Within {
  readonly places: readonly RepoPath[];
  readonly covers: (path: RepoPath) => boolean;
}

const EVERYWHERE: Within = { places: [''], covers: () => true };

function areaWithin(hook: Hook, { state_dir }: HookSpace, within: readonly string[]): Within {
  const areas = locate(hook, within)
    .filter(isLocated)
    .filter(({ space }) => space.state_dir === state_dir)
    .map((one) => areaOf(one, { by: 'git', source: '' }, null));
  return {
    places: areas.flatMap(({ places = [''] }) => places),
    covers: (path) => areas.some((area) => area.covers(path)),
  };
}
