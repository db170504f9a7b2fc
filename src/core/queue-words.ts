/** The texts about agents that are queued or were never started. */
import type { Money } from './budget.ts';
import { inQueueOrder, judgeQueued } from './draft-queue.ts';
import type { DraftRefused, Drafts, WaitsFor } from './draft-verdict.ts';
import type { DraftState } from './drafts.ts';
import type { AgentId } from './types.ts';

/** Its place in the queue, counted from 1, and what it waits for. */
export interface QueuePlace {
  readonly place: number;
  readonly of: number;
  readonly priority: number;
  readonly why: WaitsFor['why'];
  /** The agents it must follow that have not completed. */
  readonly after: readonly AgentId[];
  /** Those of them that ended without completing, and that someone can resume. Absent if there are none. */
  readonly resumable?: readonly AgentId[];
  /** It starts only if someone resumes an agent, this one's predecessor or one before that. Absent: it starts without. */
  readonly is_stuck?: true;
  readonly words: string;
}

/** The places of all queued agents. */
export function queuePlaces(drafts: Drafts): ReadonlyMap<AgentId, QueuePlace> {
  const queue = inQueueOrder(drafts.all);
  const waiting = new Map(queue.map((draft) => [draft.id, waitOf(draft, drafts)]));
  const stuck = stuckAmong(waiting);
  return new Map(
    queue.map((draft, at) => {
      const waits = waiting.get(draft.id) ?? waitOf(draft, drafts);
      const { agents = [], resumable = [] } = waits.why === 'after' ? waits : {};
      const words = `queued, ${ordinal(at + 1)} of ${queue.length}: waits ${inWords(waits, drafts.all)}`;
      const place = {
        ...{ place: at + 1, of: queue.length, priority: draft.queued?.priority ?? 0 },
        ...{ why: waits.why, after: agents, words },
        ...(resumable.length === 0 ? {} : { resumable }),
        ...(stuck.has(draft.id) ? { is_stuck: true as const } : {}),
      };
      return [draft.id, place];
    }),
  );
}

function waitOf(draft: DraftState, drafts: Drafts): WaitsFor {
  const verdict = judgeQueued(draft, drafts);
  // An agent that could start now waits only until the queue is next checked.
  return 'waits' in verdict ? verdict.waits : { why: 'place', limit: draft.bounds?.running ?? 0 };
}

/** Those that wait only for agents to be resumed, or for others that are stuck. */
function stuckAmong(waiting: ReadonlyMap<AgentId, WaitsFor>): ReadonlySet<AgentId> {
  const stuck = new Set<AgentId>();
  const isStuck = (waits: WaitsFor): boolean =>
    waits.why === 'after' && waits.agents.every((id) => waits.resumable.includes(id) || stuck.has(id));
  for (let before = -1; stuck.size > before;) {
    before = stuck.size;
    for (const [id, waits] of waiting) if (isStuck(waits)) stuck.add(id);
  }
  return stuck;
}

function inWords(waits: WaitsFor, all: readonly DraftState[]): string {
  const namesOf = (ids: readonly AgentId[]): string =>
    ids.map((id) => all.find((one) => one.id === id)?.name ?? id).join(', ');
  if (waits.why === 'place') return `for a place: ${waits.limit} agents may work at the same time`;
  if (waits.why === 'share') return `for money: ${moneyInWords(waits.money)}`;
  const { agents, resumable } = waits;
  const open = agents.filter((id) => !resumable.includes(id));
  return [
    ...(open.length === 0 ? [] : [`for the end of ${namesOf(open)}`]),
    ...(resumable.length === 0 ? [] : [`until guard agent send resumes ${namesOf(resumable)}`]),
  ].join(', and ');
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
