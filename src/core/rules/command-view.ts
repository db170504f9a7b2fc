/** What must be in view to judge a command line: its files one by one, or, for what it does not name, everything that is held. */
import { isAlive } from '../alive.ts';
import { AGENTS, agentOfKey, GLOBS, pathKey, PATHS, pathOfKey, waitKey } from '../keys.ts';
import type { Key, View } from '../ledger.ts';
import { missingFor, missingKeys } from '../need.ts';
import { overlay } from '../overlay.ts';
import { asPathState, draftOver } from '../states.ts';
import type { AgentId, Facts, RepoPath } from '../types.ts';
import type { CommandBeginEvent } from './command-event.ts';

/** More files of git than these are not looked up one by one. */
export const FILES_MAX = 512;

export interface Seen {
  readonly view: View;
  /** Paths that others may hold, where they were asked for. */
  readonly held: readonly RepoPath[];
}

export function viewFor(view: View, event: CommandBeginEvent, facts: Facts): Seen | { need: readonly Key[] } {
  const { targets, git, areas, resources, who } = event;
  const byName = git.length <= FILES_MAX ? git.map(({ path }) => path) : [];
  const paths = [...targets.map(({ path }) => path), ...resources, ...byName];
  const isWide = areas.length > 0 || git.length > FILES_MAX;
  const missing = [
    ...missingFor(view, paths, [who.id, ...authors(view, byName)], [waitKey(who.id)]),
    ...(isWide ? missingKeys(view, [GLOBS]) : []),
  ];
  if (missing.length > 0) return { need: [...new Set(missing)] };
  return isWide ? wide(view, event, facts) : { view, held: [] };
}

const authors = (view: View, paths: readonly RepoPath[]): readonly AgentId[] =>
  paths
    .map(pathKey)
    .filter((key) => view.has(key))
    .map((key) => asPathState(view.get(key)))
    .flatMap(({ last_write, drift }) => [
      ...(last_write === null ? [] : [last_write.agent]),
      ...(drift?.agents ?? []),
    ]);

/** Nobody holds a path that was last touched before anybody else who is still alive had joined. */
function wide(view: View, { who }: CommandBeginEvent, facts: Facts): Seen {
  const agents = view.range(AGENTS);
  const draft = draftOver(overlay(view, agents, [AGENTS]));
  const others = agents
    .map(([key]) => agentOfKey(key))
    .filter((id) => id !== who.id && isAlive(draft, id, facts));
  if (others.length === 0) return { view, held: [] };
  const since = Math.min(...others.map((id) => draft.agent(id)?.joined_lsn ?? 0));
  const paths = view.range(PATHS, since);
  const reserved = view.range(GLOBS);
  // What was asked for by name may be older than that, and is in view already.
  const known = new Map([...agents, ...paths, ...reserved]);
  const isCovered = (key: Key): boolean => key.startsWith(AGENTS) || key.startsWith(GLOBS) || known.has(key);
  const seen: View = {
    next: view.next,
    has: (key) => isCovered(key) || view.has(key),
    get: (key) => (isCovered(key) ? known.get(key) : view.get(key)),
    range: (prefix, from) => view.range(prefix, from),
  };
  return { view: seen, held: paths.map(([key]) => pathOfKey(key)) };
}
