/** The texts about agents that are queued or were never started. */
import type { Money } from './budget.ts';
import { type DraftRefused, type Drafts, inQueueOrder, judgeQueued, type WaitsFor } from './draft-queue.ts';
import type { DraftState } from './drafts.ts';
import type { AgentId } from './types.ts';

/** Its place in the queue, counted from 1, and what it waits for. */
export interface QueuePlace {
  readonly place: number;
  readonly of: number;
  readonly priority: number;
  readonly why: WaitsFor['why'];
  /** The agents it must follow that have not ended. */
  readonly after: readonly AgentId[];
  readonly words: string;
}

/** The places of all queued agents. */
export function queuePlaces(drafts: Drafts): ReadonlyMap<AgentId, QueuePlace> {
  const queue = inQueueOrder(drafts.all);
  return new Map(
    queue.map((draft, at) => [draft.id, placeOf(draft, at + 1, { ...drafts, of: queue.length })]),
  );
}

function placeOf(draft: DraftState, place: number, { of, ...drafts }: Drafts & { of: number }): QueuePlace {
  const verdict = judgeQueued(draft, drafts);
  // An agent that could start now waits only until the queue is next checked.
  const waits: WaitsFor =
    'waits' in verdict ? verdict.waits : { why: 'place', limit: draft.bounds?.running ?? 0 };
  const after = waits.why === 'after' ? waits.agents : [];
  const words = `queued, ${ordinal(place)} of ${of}: waits for ${inWords(waits, drafts.all)}`;
  return { place, of, priority: draft.queued?.priority ?? 0, why: waits.why, after, words };
}

function inWords(waits: WaitsFor, all: readonly DraftState[]): string {
  const nameOf = (id: AgentId): string => all.find((one) => one.id === id)?.name ?? id;
  if (waits.why === 'after') return `the end of ${waits.agents.map(nameOf).join(', ')}`;
  if (waits.why === 'place') return `a place: ${waits.limit} agents may work at the same time`;
  return `money: ${moneyInWords(waits.money)}`;
}

export function ordinal(count: number): string {
  const end = /1[1-3]$/.test(String(count)) ? undefined : ['th', 'st', 'nd', 'rd'][count % 10];
  return `${count}${end ?? 'th'}`;
}

const usd = (amount: number): string => amount.toFixed(2);

export const moneyInWords = ({ tree_usd, left_usd, spent_usd, reserved_usd }: Money): string =>
  `of the ${tree_usd} USD of its tree of agents ${usd(left_usd)} are left: ${usd(spent_usd)} are spent, ${usd(reserved_usd)} set aside for running agents`;

/** Why a queued agent never started. */
export function neverBegan({ why, agent, money }: DraftRefused, all: readonly DraftState[]): string {
  const before = all.find(({ id }) => id === agent);
  if (why === 'after')
    return `${before?.name ?? agent ?? 'the agent it was to follow'} ${before === undefined ? 'is no longer recorded' : `ended as ${before.status}`}, and it was to follow that agent`;
  if (money !== undefined) return `${moneyInWords(money)}, and no agent will return any`;
  return 'the budget of its tree of agents is spent';
}
