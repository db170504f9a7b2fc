// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Leases count in all checkouts (`lease_scope` together) or each in its own. The ledger decides which, not the
 * configuration of the asking process, so two processes with different configurations never grant by different rules.
 * The wider scope lasts as long as an agent is here that last used it. Whenever the scope changes, everything held
 * under the other one ends, and the holders are notified. On a ledger that machines share, others may rely on cached
 * leases until their deadlines without having heard of it, so until then nothing is granted (docs/decisions/297).
 */
import { isAlive, isHoldLive } from '../alive.ts';
import { GLOBS, PATHS, pathOfKey } from '../keys.ts';
import type { Json } from '../ledger.ts';
import { SCOPE } from '../lease-scope.ts';
import { aliveIn, oldestOf } from '../living.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts, RepoPath } from '../types.ts';
import { indexAnew } from './held-paths.ts';
import { setHolds } from './holds.ts';
import { allReserved } from './overlap.ts';
import { dropReserved } from './reserved-index.ts';
import { noteRevoked } from './note-revoked.ts';
import { type ScopeClosing, closedBy, closedFor, closedWhile } from './scope-closing.ts';
import { record, type Transaction } from './transaction.ts';

/** State of `scope:`. Absent: each lease counts in its own checkout. */
interface ScopeState {
  /** The newest agents that were configured this way when last heard from. */
  readonly agents: readonly AgentId[];
  /** Absent: no other machine relied on a lease of the former scope. */
  readonly closed?: ScopeClosing;
}

/** More need not be known: one present agent is enough to keep the scope. */
const AGENTS_MAX = 64;

const asScope = (state: Json | undefined): ScopeState | null => (state as ScopeState | undefined) ?? null;

/** Every transaction of an agent begins with this if its configuration or the ledger says `together`. */
export function settleScope(tx: Transaction): Transaction {
  const { changes, agent, facts } = tx;
  const known = asScope(changes.get(SCOPE));
  const others = (known?.agents ?? []).filter((id) => id !== agent.id);
  const isListed = known?.agents.includes(agent.id) === true;
  const here = (): readonly AgentId[] => others.filter((id) => isHere(changes, id, facts));
  const left_ms = closedFor(known?.closed, facts);
  const open = closedWhile(tx, left_ms);
  if (facts.policy.lease_scope === 'together') {
    const agents = isListed ? [] : [...here(), agent.id].slice(-AGENTS_MAX);
    if (known === null && isBlank(facts)) changes.set(SCOPE, { agents });
    else if (known === null) return changeTo(tx, { agents });
    else if (!isListed) changes.set(SCOPE, { ...known, agents });
    return open;
  }
  const left = here();
  // The wider scope's keys stay in use until nobody relies on a lease under it.
  if (left.length === 0 && left_ms === 0) return changeTo(tx, null);
  if (isListed) changes.set(SCOPE, { ...known, agents: left });
  return open;
}

/**
 * An empty look of a shared engine (store/look.ts), whose answer is not used. It only shows what to ask for: the scope, and not
 * all agents, which are asked for if it has to change.
 */
const isBlank = ({ now }: Facts): boolean => now.boot === '';

/** If no process is known, silence decides: by then the agent's leases have expired too. */
function isHere(changes: Changes, id: AgentId, facts: Facts): boolean {
  const agent = changes.agent(id);
  if (agent === undefined || !isAlive(changes, id, facts)) return false;
  return agent.proc !== null || facts.now.mono_ms - agent.active_mono_ms < facts.policy.ttl_ms;
}

/** Keys per record. */
const PATHS_PER_RECORD = 256;

function changeTo(tx: Transaction, state: ScopeState | null): Transaction {
  const { changes, agent, facts, view } = tx;
  indexAnew(view, changes, facts.now.wall_ms);
  const told = { to: agent.id, cause: 'scope', lease_scope: state === null ? 'apart' : 'together' };
  const since = oldestOf(changes, aliveIn(view, changes, facts));
  const held = view
    .range(PATHS, since)
    .map(([key]) => pathOfKey(key))
    .filter((path) => changes.path(path).holds.length + changes.path(path).queue.length > 0);
  const closed = closedBy(tx, held);
  const left_ms = closedFor(closed, facts);
  endReserved(tx);
  while (held.length > 0) {
    const paths = held.splice(0, PATHS_PER_RECORD);
    for (const path of paths) endHeld(tx, path);
    record(tx, 'revoke', { ...told, paths });
  }
  changes.set(SCOPE, left_ms > 0 ? { agents: [], ...state, closed } : state);
  record(tx, 'revoke', told);
  const changed = { ...tx, agent: changes.agent(agent.id) ?? agent };
  return closedWhile(changed, left_ms);
}

/** Reads the state itself, whichever scope its names belong to. */
function endHeld({ changes, agent, facts }: Transaction, path: RepoPath): void {
  const state = changes.path(path);
  const live = state.holds.filter((hold) => isHoldLive(changes, path, hold, facts));
  for (const { agent: id, command } of live)
    if (command === undefined) noteRevoked(changes, id, { path, to: agent.id, cause: 'scope' }, facts);
  setHolds(changes, path, { ...state, holds: [], queue: [] });
}

function endReserved({ changes, agent, facts }: Transaction): void {
  if (!changes.get(GLOBS)) return;
  const live = allReserved(changes, facts);
  for (const { agent: id, scope, pattern } of live)
    noteRevoked(changes, id, { path: scope + pattern, to: agent.id, cause: 'scope' }, facts);
  for (const id of new Set(live.map((one) => one.agent))) dropReserved(changes, id);
}
