/** Reservations: leases on globs, one transaction for the whole request. A refusal lists the agents in the way. */
import { isTogether, leaseIn } from '../lease-scope.ts';
import { parseGlob } from '../glob/parse.ts';
import { clashes } from '../modes.ts';
import type { Glob } from '../glob/pattern.ts';
import type { Lsn, View } from '../ledger.ts';
import { RESERVE_QUOTA, RESERVE_TTL_MAX_MS } from '../limits.ts';
import type { AgentId, Facts, Mode, RepoPath } from '../types.ts';
import { checkoutAt } from '../worktrees.ts';
import { keepOnly } from './grant.ts';
import { type Conflict, conflictWith, DOES } from './conflict.ts';
import { indexAnew } from './held-paths.ts';
import { isInUse, writtenBeside } from './in-use.ts';
import { claim } from './lease.ts';
import { matchesIn, type OverlapStanding, reservedBy, reserversNear, standingIn } from './overlap.ts';
import { pathsMeant } from './paths-meant.ts';
import { refusedAtOnce } from './refused-at-once.ts';
import type { ReserveEvent, ReserveResult } from './reserve-event.ts';
import { allReservers, lifeOf, liveReservationsOf, type OwnedReservation } from './reserved.ts';
import { indexReservations, sweep } from './reserved-index.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step, type Transaction } from './transaction.ts';

export function reserve(view: View, wish: ReserveEvent, facts: Facts): Step<readonly ReserveResult[]> {
  const tx = transactionOf(view, wish.who, facts);
  const { changes } = tx;
  const ttl_ms = Math.min(RESERVE_TTL_MAX_MS, wish.ttl_ms);
  const event = { ...wish, ttl_ms, scope: leaseIn(changes, wish.scope), at: wish.scope };
  indexAnew(view, changes, facts.now.wall_ms);
  const globs = [...new Set(event.patterns)].map(parseGlob);
  const near = reserversNear(changes, event.scope, globs);
  const refused = near === null ? refusedAtOnce(tx, event, globs) : null;
  if (refused !== null) return event.dry ? { records: [], result: refused } : answer(tx, refused);
  const met = near ?? allReservers(changes);
  const standing = standingIn(event.scope, reservedBy(changes, met, facts));
  const mine = liveReservationsOf(changes, tx.agent.id, facts);
  const writing = writtenBeside(tx, met);
  const paths = [...new Set([...pathsMeant(tx, event.scope, globs), ...writing])];
  const asked: Asked = { ...tx, event, met, mine, standing, paths, writing };
  const wanted = globs.map((glob) => judge(asked, glob));
  const room = Math.max(0, (facts.policy.reservation_quota ?? RESERVE_QUOTA) - mine.length);
  const fresh = wanted.filter((one) => one.known === null && one.conflicts.length === 0);
  const over = new Set(fresh.slice(room));
  const fails = wanted.some((one) => over.has(one) || one.conflicts.length > 0);
  const granted =
    event.dry || (event.all && fails)
      ? []
      : wanted.filter((one) => !over.has(one) && one.conflicts.length === 0);
  if (granted.length > 0) tx.facts.requireJoined?.();
  const held = grant(asked, granted);
  const results = wanted.map((one) => ({
    pattern: one.pattern,
    reservation: held.get(one.pattern) ?? null,
    renewed: one.known !== null && held.has(one.pattern),
    conflicts: one.conflicts,
    error: over.has(one) ? ('QUOTA' as const) : null,
  }));
  return event.dry ? { records: [], result: results } : answer(tx, results);
}

/** The request, with everything that is needed to decide about it. */
interface Asked extends Transaction {
  /** `at`: the checkout in which it was requested; `scope` is where it counts. */
  readonly event: ReserveEvent & { readonly at: string };
  /** All agents that may have reserved some of it. */
  readonly met: readonly AgentId[];
  /** The agent's existing reservations. */
  readonly mine: readonly OwnedReservation[];
  readonly standing: readonly OverlapStanding[];
  /** Paths that may be held. */
  readonly paths: readonly RepoPath[];
  /** Paths being written, in any checkout, by agents that have reserved some of it. */
  readonly writing: readonly RepoPath[];
}

interface Wanted {
  readonly pattern: string;
  readonly glob: Glob;
  /** The same pattern, reserved before. */
  readonly known: OwnedReservation | null;
  readonly conflicts: readonly Conflict[];
  /** Files whose leases may yield to it. */
  readonly yielding: readonly RepoPath[];
}

function judge(asked: Asked, glob: Glob): Wanted {
  const { changes, agent, facts, event, mine, standing, paths } = asked;
  const pattern = glob.text;
  const known = mine.find((one) => one.scope === event.scope && one.pattern === pattern) ?? null;
  const quiet = { pattern, glob, known, conflicts: [], yielding: [] };
  if (known !== null && (known.mode === 'exclusive' || event.mode === 'shared')) return quiet;
  const reserved = standing
    .filter(
      ({ one }) => one.agent !== agent.id && one.agent !== agent.parent && clashes(one.mode, event.mode),
    )
    .filter(({ meets }) => meets(glob))
    .map(({ one }) => one);
  const files = paths
    .filter((path) => matchesIn(event.scope, glob, path))
    .filter((path) => asked.writing.includes(path) || isInUse(changes, path, facts))
    .map((path) => ({ path, claimed: claim(asked, path, event.mode) }));
  const blocked = files.flatMap(({ path, claimed }): Conflict[] => {
    if (claimed.verdict !== 'blocked') return [];
    const { because, holder, expires_at, reservation, checkout } = claimed.blocked;
    if (because === 'reservation' && reserved.some(({ id }) => id === reservation?.id)) return [];
    const where = checkout === undefined ? {} : { checkout };
    const reason = DOES[because];
    return [{ reservation_id: null, agent_id: holder, pattern: path, reason, expires_at, ...where }];
  });
  const yielding = files.filter(({ claimed }) => claimed.verdict === 'free');
  return {
    ...quiet,
    conflicts: [...reserved.map(conflictWith), ...blocked],
    yielding: yielding.map(({ path }) => path),
  };
}

function grant(asked: Asked, granted: readonly Wanted[]): ReadonlyMap<string, OwnedReservation> {
  const { changes, agent, facts, event, mine } = asked;
  const held = new Map<string, OwnedReservation>();
  let token = asked.next;
  for (const { pattern, known, yielding } of granted) {
    for (const path of yielding) {
      const claimed = claim(asked, path, event.mode);
      if (claimed.verdict === 'free') keepOnly(asked, path, claimed);
    }
    const is_grant = known === null || known.mode !== wider(known.mode, event.mode);
    const now = is_grant ? token++ : known.token;
    held.set(pattern, known === null ? made(asked, pattern, now) : longer(known, asked, now));
  }
  if (held.size === 0) return held;
  const others = mine.filter((one) => ![...held.values()].some(({ id }) => id === one.id));
  sweep(changes, asked.met, facts);
  indexReservations(changes, agent.id, [...others, ...held.values()]);
  const { mode, reason, ttl_ms, scope } = event;
  const isFresh = granted.some(({ known }) => known === null);
  record(asked, isFresh ? 'hold' : 'renew', {
    reservations: [...held.values()].map(({ id }) => id),
    patterns: granted.map(({ pattern }) => scope + pattern),
    ...{ mode, reason, ttl_ms },
  });
  return held;
}

/** Each gets a distinct number, because a record is longer than the number of its patterns. */
const made = (
  { changes, agent, event, facts: { now } }: Asked,
  pattern: string,
  token: Lsn,
): OwnedReservation => ({
  id: `r-${token}`,
  agent: agent.id,
  scope: event.scope,
  pattern,
  mode: event.mode,
  reason: event.reason,
  token,
  since_wall_ms: now.wall_ms,
  until_wall_ms: now.wall_ms + event.ttl_ms,
  until_mono_ms: now.mono_ms + event.ttl_ms,
  ...{ boot: now.boot, life: lifeOf(agent) },
  ...(isTogether(changes) ? { at: checkoutAt(event.at) } : {}),
});

const wider = (a: Mode, b: Mode): Mode => (clashes(a, b) ? 'exclusive' : 'shared');

/** Never shorter and never weaker than before. One that becomes exclusive is granted again, under its old id. */
function longer(known: OwnedReservation, { event, facts: { now } }: Asked, token: Lsn): OwnedReservation {
  const { ttl_ms, mode, reason } = event;
  return {
    ...known,
    reason,
    mode: wider(known.mode, mode),
    token,
    until_wall_ms: Math.max(known.until_wall_ms, now.wall_ms + ttl_ms),
    until_mono_ms: Math.max(known.until_mono_ms, now.mono_ms + ttl_ms),
  };
}
