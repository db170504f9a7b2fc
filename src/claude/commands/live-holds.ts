/**
 * Which files are held, without taking the ledger's lock: a cache next to the ledger, updated from the records added since.
 * It errs on the wide side: an expired lease stays until its path is touched again, and the transaction decides who really
 * holds a file (core/rules/drift.ts). It lists only as many files as one agent's hooks watch, those that were locked last,
 * because what every hook reads must not grow with everyone's locks.
 */
import { attempt } from '../../core/attempt.ts';
import { agentOfKey, AGENTS, pathOfKey, PATHS } from '../../core/keys.ts';
import type { Json, Key } from '../../core/ledger.ts';
import { isShadow } from '../../core/shadow.ts';
import { asAgentState, asPathState } from '../../core/states.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';
import { textOf } from '../../repo/small-file.ts';
import { recordsSince } from '../../store/upkeep.ts';
import type { HookSpace } from '../context.ts';
import { consult } from '../../store/transact.ts';

/** The agent of each hold with its epoch at the grant; a hold with an epoch older than the agent's current one is released. */
type Row = readonly [RepoPath, readonly (readonly [AgentId, number])[]];

interface Stored {
  readonly v: number;
  readonly lsn: number;
  /** Whether more are held than listed. */
  readonly is_cut: boolean;
  /** The agents' current epochs, as far as they are known. */
  readonly agents: readonly (readonly [AgentId, number])[];
  /** Newest last. */
  readonly holds: readonly Row[];
}

interface Cache {
  /** The position up to which this cache is current; `stored_lsn` is the file's. */
  readonly lsn: number;
  readonly stored_lsn: number;
  readonly stored_bytes: number;
  readonly is_cut: boolean;
  readonly agents: Map<AgentId, number>;
  readonly holds: Map<RepoPath, Row[1]>;
}

/** The number of files that one agent's hooks watch. */
export const WATCHED_MAX = 1_000;
/** If fewer are left, the rest is looked up again. */
const LEFT_LEAST = 500;
const FORMAT = 3;
const MAX_BYTES = 8 << 20;
/** If the cache lags further behind, the index is faster: a record has about 600 bytes. */
const BEHIND_MAX_BYTES = 4 << 20;
/**
 * Up to here, or to the size of the cache, every hook reads them again rather than writing it: 10 us per KB, and 110 us for a
 * file that replaces another. With 1.5 KB of records per event, 8 KB costs least.
 */
const UNWRITTEN_BYTES = 8 << 10;
/** Not a valid epoch. */
const GONE = -1;

export function heldPaths({ state_dir, store }: HookSpace, dry: boolean): ReadonlySet<RepoPath> {
  const file = `${state_dir}/holds.json`;
  const now = store.supports.shared ? anew(store) : kept(file, { state_dir, store }, dry);
  return new Set(heldIn(now).map(([path]) => path));
}

function kept(
  file: string,
  { state_dir, store }: Pick<HookSpace, 'state_dir' | 'store'>,
  dry: boolean,
): Cache {
  const known = read(file);
  const now = (known === null ? null : caughtUp(state_dir, known)) ?? anew(store);
  const most = Math.max(UNWRITTEN_BYTES, now.stored_bytes);
  if (!dry && (now.stored_lsn === 0 || now.lsn - now.stored_lsn > most)) write(file, now);
  return now;
}

/** The holds that no end of a turn has released. */
const heldIn = ({ agents, holds }: Cache): Row[] =>
  [...holds].filter(([, held]) => held.some(([agent, epoch]) => (agents.get(agent) ?? epoch) === epoch));

/** Null if the records alone do not show it. */
function caughtUp(state_dir: string, known: Cache): Cache | null {
  const since = attempt(() => recordsSince(state_dir, known.lsn, BEHIND_MAX_BYTES), null);
  if (since === null || since.records.some(({ type }) => type.startsWith('ledger.'))) return null;
  for (const { s } of since.records) for (const [key, state] of Object.entries(s)) learn(known, key, state);
  return known.is_cut && heldIn(known).length < LEFT_LEAST ? null : { ...known, lsn: since.next };
}

/** An agent that left holds nothing. */
function learn({ agents, holds }: Cache, key: Key, state: Json): void {
  const agent = key.startsWith(AGENTS) ? asAgentState(state) : undefined;
  if (key.startsWith(AGENTS)) agents.set(agentOfKey(key), agent?.live === true ? agent.epoch : GONE);
  if (!key.startsWith(PATHS)) return;
  const path = pathOfKey(key);
  const held = isShadow(path) ? [] : asPathState(state).holds;
  holds.delete(path);
  if (held.length > 0)
    holds.set(
      path,
      held.map(({ agent, epoch }) => [agent, epoch]),
    );
}

/** Built from the index. */
function anew(store: HookSpace['store']): Cache {
  return consult(store, (view) => {
    const stored = { stored_lsn: 0, stored_bytes: 0, is_cut: false };
    const found = { lsn: view.tip, ...stored, agents: new Map(), holds: new Map() };
    const agents = view.range(AGENTS);
    const joined = agents.map(([, state]) => asAgentState(state)).filter((agent) => agent?.live === true);
    // A path last touched before the oldest live agent joined is held by no one.
    const since = joined.reduce((oldest, agent) => Math.min(oldest, agent?.joined_lsn ?? 0), Infinity);
    const touched = ([, state]: readonly [Key, Json]): number => asPathState(state).touched;
    const paths =
      since < Infinity ? [...view.range(PATHS, since)].sort((a, b) => touched(a) - touched(b)) : [];
    for (const [key, state] of [...agents, ...paths]) learn(found, key, state);
    return cut(found);
  });
}

const read = (file: string): Cache | null =>
  attempt(() => {
    const text = textOf(file, MAX_BYTES) ?? '{}';
    const { v, agents, holds, ...stored } = JSON.parse(text) as Stored;
    const isWhole =
      v === FORMAT &&
      Number.isSafeInteger(stored.lsn) &&
      holds.every(([, held]) => held.every(Array.isArray));
    return isWhole
      ? {
          ...{ ...stored, stored_lsn: stored.lsn, stored_bytes: text.length },
          ...{ agents: new Map(agents), holds: new Map(holds) },
        }
      : null;
  }, null);

/** Drops released holds, holds over the limit, and agents without holds. */
function cut(all: Cache): Cache {
  const held = heldIn(all);
  const kept = held.slice(-WATCHED_MAX);
  const holders = new Set(kept.flatMap(([, holds]) => holds.map(([agent]) => agent)));
  return {
    ...all,
    is_cut: all.is_cut || kept.length < held.length,
    agents: new Map([...all.agents].filter(([id]) => holders.has(id))),
    holds: new Map(kept),
  };
}

/** If it cannot be written, it is rebuilt next time. */
function write(file: string, now: Cache): void {
  const { lsn, is_cut, agents, holds } = cut(now);
  const stored: Stored = { v: FORMAT, lsn, is_cut, agents: [...agents], holds: [...holds] };
  attempt(() => replaceWhole(file, JSON.stringify(stored)), undefined);
}
