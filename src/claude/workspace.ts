/** Workspaces for one hook event: each is opened once, on use, and all are closed together. */
import type { StateLookup } from './identity.ts';
import { agentKey } from '../core/keys.ts';
import type { Who } from '../core/rules/who.ts';
import { asAgentState } from '../core/states.ts';
import type { Json, Key } from '../core/ledger.ts';
import type { PidPlace } from '../core/same-process.ts';
import type { AgentState, Now, ProcessMark } from '../core/types.ts';
import type { Looks, Repo } from '../repo/locate.ts';
import { isDeadHere } from '../repo/process.ts';
import { openRemembered } from '../store/open.ts';
import { consider } from '../store/operate.ts';
import type { Store, StoreLook } from '../store/store.ts';
import { baselineFiles, type BaselineFiles, readOnly } from '../workspace/baseline-file.ts';
import { openWorkspace, type Opening, type Workspace } from '../workspace/workspace.ts';
import { stateDirOf } from './ledger-of.ts';
import { knownAnyway } from './known-anyway.ts';
import { memo } from './memo.ts';

/** Before it is known who speaks. */
export interface CachedWorkspace extends Workspace {
  /** States as this event first saw them, fetched together on first use; `run` discards them. */
  readonly cache: StateCache;
}

interface StateCache extends StateLookup {
  /** States that could not be had, because a shared ledger did not answer the end of something. */
  readonly missed: ReadonlySet<Key>;
  forget(): void;
}

export interface HookSpace extends CachedWorkspace {
  readonly baselines: BaselineFiles;
  /** The agent's current state; undefined before it joined, or if it could not be had. */
  agent(): AgentState | undefined;
  /** Whether its state could not be had when it was last asked for, because a shared ledger did not answer the end of something. */
  isAgentMissed(): boolean;
}

export interface Workspaces {
  readonly of: (repo: Repo) => CachedWorkspace;
  readonly close: () => void;
}

/** If `lock_deadline_ms` is absent, the one of a hook that may deny applies. */
interface Around extends Pick<Opening, 'cwd' | 'env' | 'named' | 'engines' | 'lock_deadline_ms'> {
  readonly looks: Looks;
  readonly place: () => PidPlace;
}

export function openWorkspaces({ looks, place, ...around }: Around, now: () => Now, began: Now): Workspaces {
  const opened: CachedWorkspace[] = [];
  const isDeadNow = memo(JSON.stringify, (mark: ProcessMark) => isDeadHere(mark, place()));
  const open = (repo: Repo): CachedWorkspace => {
    const state_dir = stateDirOf(repo, around.env, looks);
    const times = { now, began, isDead: isDeadNow, installs: looks.installs };
    // What an event looks up first, its step looks up again.
    const space = openWorkspace(repo, { ...around, ...times, state_dir, remembered: openRemembered() });
    const one = { ...space, cache: cacheOf(space.store, around.lock_deadline_ms !== undefined) };
    opened.push(one);
    return one;
  };
  return { of: memo(({ root }) => root, open), close: () => opened.forEach((one) => one.close()) };
}

/** @param is_end the event ends something, which must not be lost because of what the hook wants to know before */
function cacheOf(store: Store, is_end: boolean): StateCache {
  const seen = new Map<Key, Json | undefined>();
  const missed = new Set<Key>();
  const look = (keys: readonly Key[]): Pick<StoreLook, 'get'> => {
    try {
      return store.look(keys);
    } catch (error) {
      if (!is_end) throw error;
      return knownAnyway(store, keys, { error, missed });
    }
  };
  return {
    missed,
    get(keys) {
      const news = keys.filter((key) => !seen.has(key));
      for (const key of news) missed.delete(key);
      const view = news.length === 0 ? null : look(news);
      for (const key of news) seen.set(key, view?.get(key));
      return (key) => seen.get(key);
    },
    forget: () => seen.clear(),
  };
}

/** @param dry check only, without changing anything */
export function workspaceFor(space: CachedWorkspace, who: Who, dry: boolean): HookSpace {
  const { store, facts, state_dir, cache } = space;
  const files = baselineFiles(state_dir, who.id);
  return {
    ...space,
    baselines: dry ? readOnly(files) : files,
    agent: () => asAgentState(cache.get([agentKey(who.id)])(agentKey(who.id))),
    isAgentMissed: () => cache.missed.has(agentKey(who.id)),
    run(event) {
      cache.forget();
      return dry ? consider(store, event, facts()) : space.run(event);
    },
  };
}
