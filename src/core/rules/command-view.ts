/** The states needed to decide about a command line: its files one by one or, for unnamed files, all that is held. */
import { isAlive } from '../alive.ts';
import { AGENTS, agentOfKey, GLOBS, PATHS, pathOfKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { isTogether } from '../lease-scope.ts';
import { oldestOf } from '../living.ts';
import { overlay } from '../overlay.ts';
import { pathsAt } from '../paths-at.ts';
import { changesOver } from '../states.ts';
import type { Facts, RepoPath } from '../types.ts';
import { inAllCheckouts } from './areas-together.ts';
import type { Area, CommandBeginEvent } from './command-event.ts';

/** If git touches more files than this, they are not looked up one by one. */
export const FILES_MAX = 512;

/** Adds leases of other checkouts if leases count in all, and those of other machines' main checkouts. */
export function areaMeant(view: View, area: Area): Area {
  const { glob, members } = area;
  const isShared = isTogether(view) || (glob?.scope ?? members[0])?.startsWith('//~@');
  return isShared === true ? inAllCheckouts(view, area) : area;
}

export interface CommandView {
  readonly view: View;
  /** Paths that others may hold, if they were requested. */
  readonly held: readonly RepoPath[];
  /** The paths with known states, if there are too many to look up one by one. `null`: all are known. */
  readonly known: ReadonlySet<RepoPath> | null;
}

export function viewFor(view: View, event: CommandBeginEvent, facts: Facts): CommandView {
  const { targets, git, areas, resources } = event;
  const byName = git.length <= FILES_MAX ? git.map(({ path }) => path) : [];
  const paths = [...targets.map(({ path }) => path), ...resources, ...byName];
  if (git.length > FILES_MAX) return wide(view, event, facts, paths);
  if (areas.length === 0) return { view, held: [], known: null };
  const held = pathsAt(view, areas.flatMap(placesOf), (path) => areas.some(({ covers }) => covers(path)));
  return held === null ? wide(view, event, facts, paths) : { view, held, known: null };
}

const placesOf = ({ places }: Area): readonly RepoPath[] => places ?? [''];

/** No path is held that was last touched before every other living agent had joined. */
function wide(
  view: View,
  { who, git, areas }: CommandBeginEvent,
  facts: Facts,
  named: readonly RepoPath[],
): CommandView {
  const agents = view.range(AGENTS);
  const changes = changesOver(overlay(view, agents, [AGENTS]));
  const others = agents
    .map(([key]) => agentOfKey(key))
    .filter((id) => id !== who.id && isAlive(changes, id, facts));
  const isMany = git.length > FILES_MAX;
  if (others.length === 0) return { view, held: [], known: isMany ? new Set(named) : null };
  const since = oldestOf(changes, others);
  const files = new Set(git.map(({ path }) => path));
  const few = isMany
    ? pathsAt(view, [''], (path) => files.has(path) || areas.some(({ covers }) => covers(path)), since)
    : null;
  if (few !== null) return { view, held: few, known: new Set([...named, ...few]) };
  const paths = view.range(PATHS, since);
  const reserved = view.range(GLOBS);
  // Paths requested by name may be older than that, and are already in the view.
  const seen = overlay(view, [...agents, ...paths, ...reserved], [AGENTS, GLOBS]);
  const held = paths.map(([key]) => pathOfKey(key));
  return { view: seen, held, known: isMany ? new Set([...named, ...held]) : null };
}
