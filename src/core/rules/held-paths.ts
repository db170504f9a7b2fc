/** What one agent holds, found without reading what others hold. */
import { agentOfKey, AGENTS, leasesBelow, PATHS, pathOfKey } from '../keys.ts';
import type { Key, Lsn, View } from '../ledger.ts';
import { asAgentState, asPathState, type Changes } from '../states.ts';
import type { AgentId, Facts, Hold, RepoPath } from '../types.ts';
import { heldKeys } from './holds.ts';
import { placesAnew } from './places-anew.ts';

/** For more paths than this, one listing of every path is cheaper than reading each. */
const NAMED_MAX = 4_096;

/**
 * Every path on which the agent has a lease of its present epoch, and possibly more: the path's state decides. If an
 * older guard wrote to the ledger meanwhile, the paths themselves are listed, and the index is recorded with the next
 * write.
 */
export function pathsHeldBy(
  view: View,
  changes: Changes,
  agent: AgentId,
  { now }: Facts,
): readonly RepoPath[] {
  const state = changes.agent(agent);
  indexAnew(view, changes, now.wall_ms);
  if (view.indexed === true && state !== undefined) {
    const below = leasesBelow(agent, state.epoch);
    const keys = view.range(below);
    if (keys.length <= NAMED_MAX) return keys.map(([key]) => key.slice(below.length));
  }
  const isOwn = (hold: Hold): boolean => hold.agent === agent && hold.epoch === (state?.epoch ?? hold.epoch);
  return view
    .range(PATHS, state?.joined_lsn)
    .filter(([, path]) => asPathState(path).holds.some(isOwn))
    .map(([key]) => pathOfKey(key));
}

/** Keys per record: about 50 KB. */
const KEYS_PER_RECORD = 512;
const INDEXED = 'ledger.index';
const GUARD = { type: INDEXED, agent: 'guard' } as const;

/**
 * Records every index key that counts, if the ledger may lack some. The record's type says that the index is complete
 * (store/embedded/append.ts).
 */
export function indexAnew(view: View, changes: Changes, ts_ms: number): void {
  if (view.indexed !== false || changes.records.some(({ type }) => type === INDEXED)) return;
  const keys = indexKeys(view);
  do {
    const s = Object.fromEntries(keys.splice(0, KEYS_PER_RECORD).map((key) => [key, {}]));
    changes.records.push({ ...GUARD, ts_ms, s });
  } while (keys.length > 0);
  const places = placesAnew(changes);
  while (places.length > 0) {
    for (const [key, state] of places.splice(0, KEYS_PER_RECORD)) changes.set(key, state);
    changes.record({ ...GUARD, ts_ms });
  }
}

/** What agents that left held is void. No path is held that was last touched before its agent joined. */
function indexKeys(view: View): Key[] {
  const live = view.range(AGENTS).flatMap(([key, state]) => {
    const agent = asAgentState(state);
    return agent?.live === true ? [[agentOfKey(key), agent] as const] : [];
  });
  const epochs = new Map(live.map(([id, { epoch }]) => [id, epoch]));
  const since = live.reduce<Lsn>((oldest, [, { joined_lsn }]) => Math.min(oldest, joined_lsn), Infinity);
  if (since === Infinity) return [];
  return view.range(PATHS, since).flatMap(([key, state]) =>
    heldKeys(
      pathOfKey(key),
      asPathState(state).holds.filter(({ agent, epoch }) => epochs.get(agent) === epoch),
    ),
  );
}
