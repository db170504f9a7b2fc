/**
 * Which files somebody holds, without the ledger's lock: a cache beside the ledger, brought up to date from the records that
 * came since. Wide rather than narrow: a lease that has run out stays in it until its path is touched again; who really
 * holds a file, the transaction says that needs to know (core/rules/drift.ts).
 */
import { attempt } from '../../core/attempt.ts';
import { AGENTS, PATHS } from '../../core/keys.ts';
import type { Json, Key } from '../../core/ledger.ts';
import { isShadow } from '../../core/shadow.ts';
import { asAgentState, asPathState } from '../../core/states.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';
import { textOf } from '../../repo/small-file.ts';
import { recordsSince } from '../../store/upkeep.ts';
import type { HookSpace } from '../context.ts';
import { consult } from '../../store/transact.ts';

/** Paths that somebody holds. */
export interface HeldPaths {
  has(path: RepoPath): boolean;
  keys(): Iterable<RepoPath>;
}

/** A path, and of each hold on it the agent, as a place in the list of those, and its epoch at the grant. */
type Row = readonly [RepoPath, ...number[]];

interface Stored {
  readonly v: number;
  readonly lsn: number;
  /** With their epochs now, null where it is not known; an older lease is released. */
  readonly agents: readonly (readonly [AgentId, number | null])[];
  readonly holds: readonly Row[];
}

interface Cache {
  /** How far it goes, and how far the file does. */
  readonly lsn: number;
  readonly stored_lsn: number;
  readonly agents: [AgentId, number | null][];
  /** Where an agent is in that list. */
  readonly places: Map<AgentId, number>;
  readonly holds: Map<RepoPath, Row>;
}

const FORMAT = 2;
const MAX_BYTES = 8 << 20;
/** Far behind, the index knows sooner: a record has some 600 bytes. */
const BEHIND_MAX_BYTES = 4 << 20;
/** Read again by every hook rather than written down by each: some hundred records, and of 10,000 paths 400 KB. */
const UNWRITTEN_BYTES = 64 << 10;
/** No epoch is. */
const GONE = -1;

export function heldPaths({ state_dir, store }: HookSpace, dry: boolean): HeldPaths {
  const file = `${state_dir}/holds.json`;
  const known = read(file);
  const now = (known === null ? null : caughtUp(state_dir, known)) ?? anew(store);
  if (!dry && (now.stored_lsn === 0 || now.lsn - now.stored_lsn > UNWRITTEN_BYTES)) write(file, now);
  return live(now);
}

function live({ agents, holds }: Cache): HeldPaths {
  const isLive = (row: Row | undefined): boolean => row !== undefined && currentOf(row, agents).length > 0;
  return {
    has: (path) => isLive(holds.get(path)),
    *keys() {
      for (const [path, row] of holds) if (isLive(row)) yield path;
    },
  };
}

/** Its holds that no turn has ended, as in a row. */
const currentOf = ([, ...held]: Row, agents: Stored['agents']): number[] =>
  held.filter((_, at) => {
    const even = at - (at % 2);
    const epoch = agents[held[even] ?? GONE]?.[1];
    return epoch === null || epoch === held[even + 1];
  });

/** Null: it cannot be told from the records alone. */
function caughtUp(state_dir: string, known: Cache): Cache | null {
  const since = attempt(() => recordsSince(state_dir, known.lsn, BEHIND_MAX_BYTES), null);
  if (since === null || since.records.some(({ type }) => type.startsWith('ledger.'))) return null;
  for (const { s } of since.records) for (const [key, state] of Object.entries(s)) learn(known, key, state);
  return { ...known, lsn: since.next };
}

function learn(cache: Cache, key: Key, state: Json): void {
  if (key.startsWith(PATHS)) learnPath(cache, key.slice(PATHS.length), state);
  else if (key.startsWith(AGENTS)) learnAgent(cache, key.slice(AGENTS.length), state);
}

function learnPath(cache: Cache, path: RepoPath, state: Json): void {
  const held = isShadow(path) ? [] : asPathState(state).holds;
  if (held.length === 0) cache.holds.delete(path);
  else cache.holds.set(path, [path, ...held.flatMap(({ agent, epoch }) => [placeOf(cache, agent), epoch])]);
}

/** One that left holds nothing. */
function learnAgent(cache: Cache, id: AgentId, state: Json): void {
  const agent = asAgentState(state);
  const epoch = agent?.live === true ? agent.epoch : GONE;
  cache.agents[placeOf(cache, id)] = [id, epoch];
}

function placeOf({ agents, places }: Cache, id: AgentId, epoch: number | null = null): number {
  const known = places.get(id);
  if (known !== undefined) return known;
  places.set(id, agents.length);
  return agents.push([id, epoch]) - 1;
}

const cacheOf = ({ lsn, agents, holds }: Omit<Stored, 'v'>, stored_lsn: number): Cache => ({
  lsn,
  stored_lsn,
  agents: agents.map(([id, epoch]) => [id, epoch]),
  places: new Map(agents.map(([id], place) => [id, place])),
  holds: new Map(holds.map((row) => [row[0], row])),
});

/** From the index, under its lock, once. */
function anew(store: HookSpace['store']): Cache {
  return consult(store, (view) => {
    const cache = cacheOf({ lsn: view.tip, agents: [], holds: [] }, 0);
    const agents = view.range(AGENTS);
    for (const [key, state] of agents) learn(cache, key, state);
    const joined = agents.map(([, state]) => asAgentState(state)).filter((agent) => agent?.live === true);
    // Nobody holds a path that was last touched before anybody who is still alive had joined.
    const since = joined.reduce((oldest, agent) => Math.min(oldest, agent?.joined_lsn ?? 0), Infinity);
    if (since < Infinity) for (const [key, state] of view.range(PATHS, since)) learn(cache, key, state);
    return cache;
  });
}

const read = (file: string): Cache | null =>
  attempt(() => {
    const stored = JSON.parse(textOf(file, MAX_BYTES) ?? 'null') as Stored;
    const isWhole = stored.v === FORMAT && Number.isSafeInteger(stored.lsn);
    return isWhole && stored.holds.every(Array.isArray) ? cacheOf(stored, stored.lsn) : null;
  }, null);

/** Without what was released, and without agents that nothing is left of. What cannot be written is made anew next time. */
function write(file: string, { lsn, agents, holds }: Cache): void {
  const left = cacheOf({ lsn, agents: [], holds: [] }, 0);
  for (const row of holds.values()) {
    const held = currentOf(row, agents);
    const moved = held.map((value, at) => {
      const [id = '', epoch = GONE] = at % 2 === 0 ? (agents[value] ?? []) : [];
      return at % 2 === 0 ? placeOf(left, id, epoch) : value;
    });
    if (held.length > 0) left.holds.set(row[0], [row[0], ...moved]);
  }
  const stored: Stored = { v: FORMAT, lsn, agents: left.agents, holds: [...left.holds.values()] };
  attempt(() => replaceWhole(file, JSON.stringify(stored)), undefined);
}
