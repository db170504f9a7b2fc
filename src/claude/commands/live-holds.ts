/**
 * Which files somebody holds, without the ledger's lock: a cache beside the ledger, brought up to date from the records that
 * came since. Wide rather than narrow: a lease that has run out stays in it until its path is touched again; who really
 * holds a file, the transaction says that needs to know (core/rules/drift.ts).
 */
import { attempt } from '../../core/attempt.ts';
import { AGENTS, PATHS } from '../../core/keys.ts';
import type { Json, Key, LedgerRecord } from '../../core/ledger.ts';
import { isShadow } from '../../core/shadow.ts';
import { asAgentState, asPathState } from '../../core/states.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';
import { textOf } from '../../repo/small-file.ts';
import { recordsSince } from '../../store/upkeep.ts';
import type { HookSpace } from '../context.ts';
import { consult } from '../../store/transact.ts';

/** The agents that hold a path, with their epochs at the grant. */
export type Holds = Readonly<Record<RepoPath, readonly (readonly [AgentId, number])[]>>;

interface Cache {
  readonly lsn: number;
  readonly holds: Holds;
  /** Epochs of those agents; an older lease is released. */
  readonly epochs: Readonly<Record<AgentId, number>>;
}

const MAX_BYTES = 8 << 20;
/** Far behind, the index knows sooner: a record has some 600 bytes. */
const BEHIND_MAX_BYTES = 4 << 20;
/** Some twelve records: to read them again costs less than to write the file anew. */
const BEHIND_KEPT_BYTES = 8 << 10;

/** By path, who holds it. */
export function holdersByPath(
  { state_dir, store }: HookSpace,
  dry: boolean,
): ReadonlyMap<RepoPath, readonly AgentId[]> {
  const file = `${state_dir}/holds.json`;
  const known = read(file);
  const now = (known === null ? null : caughtUp(state_dir, known)) ?? anew(store);
  if (!dry && now.lsn - (known?.lsn ?? -Infinity) > BEHIND_KEPT_BYTES) write(file, now);
  return live(now);
}

function live({ holds, epochs }: Cache): ReadonlyMap<RepoPath, readonly AgentId[]> {
  const found = new Map<RepoPath, readonly AgentId[]>();
  for (const [path, list] of Object.entries(holds)) {
    const agents = list.filter(([agent, epoch]) => isCurrent(epochs, agent, epoch)).map(([agent]) => agent);
    if (agents.length > 0) found.set(path, agents);
  }
  return found;
}

const isCurrent = (epochs: Cache['epochs'], agent: AgentId, epoch: number): boolean =>
  (Object.hasOwn(epochs, agent) ? epochs[agent] : epoch) === epoch;

/** Null: it cannot be told from the records alone. */
function caughtUp(state_dir: string, known: Cache): Cache | null {
  const since = recordsOf(state_dir, known.lsn);
  if (since === null || since.records.some(({ type }) => type.startsWith('ledger.'))) return null;
  if (since.next === known.lsn) return known;
  const holds = new Map(Object.entries(known.holds));
  const epochs = new Map(Object.entries(known.epochs));
  for (const { s } of since.records) learn(s, holds, epochs);
  return pruned({ lsn: since.next, holds, epochs });
}

const recordsOf = (state_dir: string, lsn: number): ReturnType<typeof recordsSince> =>
  attempt(() => recordsSince(state_dir, lsn, BEHIND_MAX_BYTES), null);

interface Learnt {
  readonly lsn: number;
  readonly holds: Map<RepoPath, Holds[string]>;
  readonly epochs: Map<AgentId, number>;
}

function learn(states: LedgerRecord['s'], holds: Learnt['holds'], epochs: Learnt['epochs']): void {
  for (const [key, state] of Object.entries(states)) {
    if (key.startsWith(PATHS)) learnPath(key, state, holds);
    else if (key.startsWith(AGENTS)) learnAgent(key, state, epochs);
  }
}

function learnPath(key: Key, state: Json, holds: Learnt['holds']): void {
  const path = key.slice(PATHS.length);
  const held = isShadow(path) ? [] : asPathState(state).holds;
  if (held.length === 0) holds.delete(path);
  else
    holds.set(
      path,
      held.map(({ agent, epoch }) => [agent, epoch] as const),
    );
}

/** One that left holds nothing. */
function learnAgent(key: Key, state: Json, epochs: Learnt['epochs']): void {
  const agent = asAgentState(state);
  epochs.set(key.slice(AGENTS.length), agent?.live === true ? agent.epoch : -1);
}

/** Without what was released, and without agents that nothing is left of. */
function pruned({ lsn, holds, epochs }: Learnt): Cache {
  const known = Object.fromEntries(epochs);
  const left = [...holds]
    .map(([path, list]) => [path, list.filter(([agent, epoch]) => isCurrent(known, agent, epoch))] as const)
    .filter(([, list]) => list.length > 0);
  const named = new Set(left.flatMap(([, list]) => list.map(([agent]) => agent)));
  const kept = [...epochs].filter(([agent]) => named.has(agent));
  return { lsn, holds: Object.fromEntries(left), epochs: Object.fromEntries(kept) };
}

/** From the index, under its lock, once. */
function anew(store: HookSpace['store']): Cache {
  return consult(store, (view) => {
    const holds: Learnt['holds'] = new Map();
    const epochs: Learnt['epochs'] = new Map();
    const agents = view.range(AGENTS);
    for (const [key, state] of agents) learnAgent(key, state, epochs);
    const joined = agents.map(([, state]) => asAgentState(state)).filter((agent) => agent?.live === true);
    // Nobody holds a path that was last touched before anybody who is still alive had joined.
    const since = joined.reduce((oldest, agent) => Math.min(oldest, agent?.joined_lsn ?? 0), Infinity);
    if (since < Infinity) for (const [key, state] of view.range(PATHS, since)) learnPath(key, state, holds);
    return pruned({ lsn: view.tip, holds, epochs });
  });
}

const read = (file: string): Cache | null =>
  attempt(() => {
    const { v, ...cache } = JSON.parse(textOf(file, MAX_BYTES) ?? 'null') as Cache & { v: unknown };
    const isWhole = v === 1 && Number.isSafeInteger(cache.lsn) && typeof cache.epochs === 'object';
    return isWhole && Object.values(cache.holds).every(Array.isArray) ? cache : null;
  }, null);

/** What cannot be written is made anew next time. */
const write = (file: string, cache: Cache): void =>
  attempt(() => replaceWhole(file, JSON.stringify({ v: 1, ...cache })), undefined);
