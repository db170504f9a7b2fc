// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Detects a deadlock in the transaction that closes it (promise P7). Every new edge of a transaction leads from or to
 * the acting agent, so the agents reachable from it include every cycle that it can have closed.
 *
 * A cycle that depends on a place in a queue is solved by letting the later waiter pass; a cycle of leases alone needs
 * a victim. The victim is notified at the next look of its wait, and at its next write to a file of the cycle.
 */
import { findCycles } from '../cycles.ts';
import type { Json } from '../ledger.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts, GraphEdge, LetGo, Policy, DeadlockVerdict } from '../types.ts';
import { mostAble } from './able.ts';
import { isHeld, releaseVictim, onlyLetGo, resolutionFor, stepOf, takeAway } from './victim-release.ts';
import { settleQueues } from './queues.ts';
import { chooseVictim } from './victim.ts';
import { edgesOf } from './wait-graph.ts';
import { record, type Transaction } from './transaction.ts';

/** A deadlock as reported to the agents in it. */
export interface Deadlock extends LetGo {
  readonly cycle: readonly GraphEdge[];
  readonly victim: AgentId;
  readonly resolve: Policy['resolve'];
  /** The cycle as first recorded. */
  readonly origin: readonly GraphEdge[];
  /** The victim's wait has already ended with it once. */
  readonly is_repeated?: boolean;
}

/** The acting agent and its waits (`stepOf`): if it is the victim for one of them, all of them end. */
interface Actor {
  readonly id: AgentId;
  readonly waits: readonly string[];
}

/**
 * Every deadlock that the acting agent can see; new ones are recorded, with their victims chosen.
 * @param waits what it waits for (`stepOf`)
 */
export function findDeadlocks(tx: Transaction, waits: readonly string[]): readonly Deadlock[] {
  const { changes, agent, facts } = tx;
  const search: Search = { actor: { id: agent.id, waits }, found: [] };
  const near = membersFrom(changes, agent.id, facts, false);
  if (findCycles(openWaits(tx, near, search)).length > 0) {
    const wide = membersFrom(changes, agent.id, facts, true);
    settleQueues(changes, wide, openWaits(tx, wide, search).filter(isHeld), facts);
  }
  for (const dead of search.found) {
    if (dead.is_new) putOnRecord(tx, dead);
    else if (dead.is_taken) takeAway(changes, dead, facts);
  }
  return search.found;
}

interface Search {
  readonly actor: Actor;
  readonly found: Found[];
}

interface Found extends Deadlock {
  readonly is_new: boolean;
  /** Its victim waits again instead of giving way. */
  readonly is_taken?: boolean;
  readonly note: string | null;
}

/** The waits that no agent has to give up; adds to `found` until no cycle of leases remains among them. */
function openWaits(tx: Transaction, members: readonly AgentId[], { found, actor }: Search): GraphEdge[] {
  const { changes, facts } = tx;
  const waits = members.flatMap((id) => waitsOf(changes, id, facts));
  const known = members.flatMap((id) => [
    ...undelivered(changes, id),
    ...standing(changes, id, waits, facts),
  ]);
  for (const dead of known) {
    if (!found.some(({ origin }) => origin === dead.origin))
      found.push({ ...insisted(tx, dead, actor), is_new: false, note: null });
  }
  for (let round = 0; ; round++) {
    const open = waits.filter((edge) => !found.some((dead) => ends(dead, edge, actor)));
    const [cycle] = findCycles(open.filter(isHeld));
    if (cycle !== undefined) found.push(judge(tx, cycle, open));
    // When a victim turns out to be unnecessary, the waits it would have given up may close another cycle.
    else if (round >= ROUNDS_MAX || !dropDissolved(found, actor)) return open;
  }
}

/**
 * A victim that waits again instead of giving way is not notified of the same deadlock forever: what it keeps in the
 * cycle is taken from it, if possible.
 */
function insisted(tx: Transaction, dead: Deadlock, actor: Actor): Deadlock & Pick<Found, 'is_taken'> {
  const { victim, cycle, is_repeated, release, resolve } = dead;
  if (!is_repeated || victim !== actor.id || release.length === 0 || resolve === 'release') return dead;
  if (!cycle.some((edge) => edge.from === victim && actor.waits.includes(stepOf(edge)))) return dead;
  const last = resolutionFor(tx, victim, dead, 'release');
  return last.resolve === 'release' ? { ...dead, resolve: 'release', is_taken: true } : dead;
}

/** Far more than the cycles that one transaction can close; the order of victims is settled long before. */
const ROUNDS_MAX = 200;

/** A cycle found earlier may be dissolved by another one's victim. */
function dropDissolved(found: Found[], actor: Actor): boolean {
  const at = found.findIndex((dead) =>
    found.some((other) => other !== dead && dissolves(other, dead, actor)),
  );
  if (at >= 0) found.splice(at, 1);
  return at >= 0;
}

/** What the victim has to give up: its wait in the cycle and, with `release`, what it holds in it. */
function ends(dead: Deadlock, edge: GraphEdge, actor: Actor): boolean {
  const { victim, cycle, resolve, release, held_by = victim } = dead;
  if (resolve === 'release' && edge.to === held_by && release.includes(edge.path)) return true;
  if (edge.from !== victim) return false;
  const own = cycle.filter(({ from }) => from === victim);
  if (edge.because === 'agent') return own.some((one) => stepOf(one) === stepOf(edge));
  const paths = own.map(({ path }) => path);
  const isWhole = victim === actor.id && paths.some((path) => actor.waits.includes(path));
  return (isWhole ? actor.waits : paths).includes(edge.path);
}

const dissolves = (other: Found, { is_new, cycle }: Found, actor: Actor): boolean =>
  is_new && cycle.some((edge) => ends(other, edge, actor));

const waitsOf = (changes: Changes, id: AgentId, facts: Facts): GraphEdge[] =>
  edgesOf(changes, id, facts).filter(({ kind }) => kind === 'wait');

/** All agents that `start` directly or indirectly waits for, and itself; `wide` adds those queued next to them. */
function membersFrom(changes: Changes, start: AgentId, facts: Facts, wide: boolean): readonly AgentId[] {
  const members = new Set([start]);
  let level: readonly AgentId[] = [start];
  while (level.length > 0) {
    const next = level.flatMap((id) => waitsOf(changes, id, facts)).map(({ to }) => to);
    const beside = wide ? level.flatMap((id) => queuedBeside(changes, id)) : [];
    level = [...new Set([...next, ...beside])].filter((id) => !members.has(id));
    for (const id of level) members.add(id);
  }
  return [...members];
}

const queuedBeside = (changes: Changes, id: AgentId): AgentId[] =>
  changes.wait(id).edges.flatMap(({ path }) => changes.path(path).queue.map(({ agent }) => agent));

/** Verdicts with which this agent's wait will end. */
export const undelivered = (changes: Changes, id: AgentId): Deadlock[] =>
  (changes.wait(id).verdicts ?? []).filter(({ told }) => !told).map((verdict) => toldOf(id, verdict));

/**
 * Verdicts on this agent whose cycle is still closed, or would be if it waited again: each of the others still waits
 * for the next one, even if now for another file.
 */
export function standing(
  changes: Changes,
  id: AgentId,
  edges: readonly GraphEdge[],
  facts: Facts,
): Deadlock[] {
  return (changes.wait(id).verdicts ?? []).flatMap((verdict) => {
    const cycle = verdict.cycle.map((edge) => (edge.from === id ? edge : sameStep(edges, edge)));
    if (!cycle.every((edge) => edge !== undefined)) return [];
    return [{ ...toldOf(id, verdict), cycle, ...releaseVictim({ changes, facts }, id, cycle, edges) }];
  });
}

function sameStep(edges: readonly GraphEdge[], { from, to, path }: GraphEdge): GraphEdge | undefined {
  const steps = edges.filter((edge) => edge.from === from && edge.to === to);
  return steps.find((edge) => edge.path === path) ?? steps[0];
}

const toldOf = (victim: AgentId, verdict: DeadlockVerdict): Deadlock => ({
  cycle: verdict.cycle,
  victim,
  resolve: verdict.resolve,
  ...onlyLetGo(verdict),
  origin: verdict.cycle,
  ...(verdict.told ? { is_repeated: true } : {}),
});

function judge(tx: Transaction, cycle: readonly GraphEdge[], waits: readonly GraphEdge[]): Found {
  const able = mostAble(tx, cycle, waits);
  const victim = chooseVictim(tx, able);
  const given = releaseVictim(tx, victim, cycle, waits);
  const resolution = resolutionFor(tx, victim, given);
  return { cycle, victim, ...given, origin: cycle, is_new: true, ...resolution };
}

function putOnRecord(tx: Transaction, dead: Found): void {
  const { changes, facts, next } = tx;
  const { victim, cycle, resolve, note } = dead;
  const wait = changes.wait(victim);
  const given = onlyLetGo(dead);
  const verdict: DeadlockVerdict = { lsn: next, cycle, ...given, resolve, told: false };
  changes.setWait(victim, { ...wait, verdicts: [...(wait.verdicts ?? []), verdict] });
  record(tx, 'deadlock', {
    victim,
    cycle: cycle as unknown as Json,
    ...given,
    resolve,
    ...(note === null ? {} : { note }),
  });
  if (resolve === 'release') takeAway(changes, dead, facts);
}
