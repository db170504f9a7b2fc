/**
 * What is held according to the ledger's states: either everything, or only what one commit changed. Whether a lease
 * still counts depends only on its holder's state, so ten thousand leases of three agents take three lookups. Pure.
 */
import { isAlive, isHoldLive, isTurnGone, lastActive } from '../core/alive.ts';
import { GLOBS, pathKey, pathOfKey, PATHS, UNLISTED } from '../core/keys.ts';
import type { Key, View } from '../core/ledger.ts';
import { isTogether } from '../core/lease-scope.ts';
import { aliveIn, oldestOf } from '../core/living.ts';
import { heldBy, isReservationLive } from '../core/rules/reserved.ts';
import { isShadow } from '../core/shadow.ts';
import { type Changes, changesOver } from '../core/states.ts';
import type { AgentId, Facts, Hold } from '../core/types.ts';
import { checkoutsIn, pathIn } from '../core/worktrees.ts';
import type { Entry } from './held.ts';

/** Maps a path in the ledger, and what a reservation covers, to absolute paths on disk. */
export interface FencePlaces {
  readonly path: (path: string) => string | null;
  readonly glob: (scope: string, pattern: string) => readonly string[];
}

/** The entries of one state: the leases on a path, or the reservations of an agent. */
export function entriesOf(key: Key, changes: Changes, facts: Facts, places: FencePlaces): readonly Entry[] {
  return key.startsWith(PATHS)
    ? leasesOn(key, changes, facts, places)
    : reservationsOf(key, changes, facts, places);
}

function leasesOn(key: Key, changes: Changes, facts: Facts, places: FencePlaces): readonly Entry[] {
  const path = pathOfKey(key);
  // Names that do not stand for a file: those of foreign lock servers, and of a repository as a whole.
  if (isShadow(path) || path.startsWith('@git/')) return [];
  const found = copiesOf(changes).flatMap((checkout) => places.path(pathIn(checkout, path)) ?? []);
  if (found.length === 0) return [];
  return changes
    .path(path)
    .holds.filter((hold) => isHoldLive(changes, path, hold, facts))
    .flatMap(({ agent, epoch, since_mono_ms, ttl_ms }) => {
      const pid = changes.agent(agent)?.proc?.pid ?? null;
      const held = { owner: agent, key: pathKey(path), epoch, since_mono_ms, ttl_ms, pid };
      return found.map((at) => ({ ...held, path: at }));
    });
}

/** The checkouts in which a lease also applies, besides its own; '' adds nothing to a path. */
const copiesOf = (changes: Changes): readonly string[] => (isTogether(changes) ? checkoutsIn(changes) : ['']);

function reservationsOf(key: Key, changes: Changes, facts: Facts, places: FencePlaces): readonly Entry[] {
  const owner = key.slice(GLOBS.length);
  if (owner === '' || owner === UNLISTED) return [];
  return heldBy(changes, owner)
    .filter((one) => isReservationLive(changes, one, facts))
    .flatMap((one) =>
      copiesOf(changes)
        .flatMap((checkout) => places.glob(checkout === '' ? one.scope : `//${checkout}/`, one.pattern))
        .map((path) => ({
          owner,
          path,
          key,
          epoch: null,
          since_mono_ms: facts.now.mono_ms,
          ttl_ms: one.until_mono_ms - facts.now.mono_ms,
          pid: changes.agent(owner)?.proc?.pid ?? null,
        })),
    );
}

/** Everything that is held now. `view` must cover everything. */
export function allEntries(view: View, facts: Facts, places: FencePlaces): readonly Entry[] {
  const changes = changesOver(view);
  const alive = aliveIn(view, changes, facts);
  if (alive.length === 0) return [];
  const found = [...view.range(PATHS, oldestOf(changes, alive)), ...view.range(GLOBS)];
  return found.flatMap(([key]) => entriesOf(key, changes, facts, places));
}

/** Entries that have not ended in the meantime, as far as their holders' states show. */
export function stillLive(entries: readonly Entry[], changes: Changes, facts: Facts): readonly Entry[] {
  const known = new Map<AgentId, Holder>();
  return entries.filter(({ owner, epoch, since_mono_ms, ttl_ms }) => {
    const holder = known.get(owner) ?? holderOf(owner, changes, facts);
    known.set(owner, holder);
    if (!holder.is_alive) return false;
    if (epoch === null) return facts.now.mono_ms < since_mono_ms + ttl_ms;
    if (holder.epoch !== null && (holder.epoch !== epoch || holder.is_gone)) return false;
    return holder.is_writing || facts.now.mono_ms < Math.max(since_mono_ms, holder.active_mono_ms) + ttl_ms;
  });
}

interface Holder {
  readonly is_alive: boolean;
  readonly is_gone: boolean;
  /** A write in flight keeps all of its holder's leases alive. */
  readonly is_writing: boolean;
  readonly epoch: number | null;
  readonly active_mono_ms: number;
}

function holderOf(id: AgentId, changes: Changes, facts: Facts): Holder {
  const agent = changes.agent(id);
  const hold: Hold = { ...NO_HOLD, agent: id, boot: facts.now.boot };
  return {
    is_alive: isAlive(changes, id, facts),
    is_gone: agent !== undefined && isTurnGone(agent, facts),
    is_writing: (agent?.op ?? null) !== null,
    epoch: agent?.epoch ?? null,
    active_mono_ms: lastActive(changes, hold, facts),
  };
}

const NO_HOLD: Omit<Hold, 'agent' | 'boot'> = {
  mode: 'exclusive',
  token: 0,
  epoch: 0,
  since_wall_ms: 0,
  since_mono_ms: 0,
  ttl_ms: 0,
};

/** A crashed holder is noticed after this time at the latest. */
const LOOK_AGAIN_MS = 10_000;

/** When the next of them may end without a record: leases outlast the end of a turn by seconds. */
export function nextLook(entries: readonly Entry[], changes: Changes, { now }: Facts): number {
  if (entries.length === 0) return Number.MAX_SAFE_INTEGER;
  const owners = [...new Set(entries.map(({ owner }) => owner))];
  const ends = owners.map((id) => changes.agent(id)?.turn_over?.gone_mono_ms ?? Infinity);
  return Math.min(now.mono_ms + LOOK_AGAIN_MS, ...ends.filter((end) => end > now.mono_ms));
}
