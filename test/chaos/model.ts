/**
 * Leases on keys, as small as possible: the pure model that the torture workers run and that the judge runs again over
 * the finished ledger. It knows nothing about engines.
 *
 * State of `key:<n>`: holds and a queue of tickets. An exclusive hold excludes every other; shared ones may coexist. No
 * ticket is granted before an earlier live one. A hold or a ticket ends at `until_ms` (monotonic).
 */
import type { Json, Key, RecordBody, View } from '../../src/core/ledger.ts';
import type { Step } from '../../src/store/store.ts';

export interface Hold {
  readonly agent: string;
  readonly mode: 'exclusive' | 'shared';
  readonly token: number;
  readonly until_ms: number;
}

export interface Ticket {
  readonly agent: string;
  readonly ticket: number;
  readonly until_ms: number;
}

export interface KeyState {
  readonly holds: readonly Hold[];
  readonly queue: readonly Ticket[];
}

/** What a worker wants, with all that determines the answer: the same act on the same states has the same answer. */
export interface Act {
  readonly op: 'acquire' | 'release' | 'wait';
  readonly agent: string;
  readonly keys: readonly Key[];
  readonly mode: Hold['mode'];
  readonly ttl_ms: number;
  readonly now_ms: number;
}

export interface Answer {
  readonly granted: boolean;
  /** If granted, the token; if refused, the end of the ledger that the refusal is based on. */
  readonly token: number;
  /** The agent in the way. */
  readonly holder: string | null;
}

export const EMPTY: KeyState = { holds: [], queue: [] };

export const asState = (json: Json | undefined): KeyState =>
  json === undefined ? EMPTY : (json as unknown as KeyState);
const asJson = (state: KeyState): Json =>
  state.holds.length + state.queue.length === 0 ? null : (state as unknown as Json);

/** What is still alive at `now_ms`. */
export function alive({ holds, queue }: KeyState, now_ms: number): KeyState {
  return {
    holds: holds.filter((hold) => hold.until_ms > now_ms),
    queue: queue.filter((one) => one.until_ms > now_ms),
  };
}

function blocker(state: KeyState, { agent, mode }: Act): string | null {
  const hold = state.holds.find(
    (one) => one.agent !== agent && (mode === 'exclusive' || one.mode === 'exclusive'),
  );
  if (hold !== undefined) return hold.agent;
  const [first] = state.queue;
  return first !== undefined && first.agent !== agent ? first.agent : null;
}

const without = <T extends { readonly agent: string }>(list: readonly T[], agent: string): T[] =>
  list.filter((one) => one.agent !== agent);

function acquire(state: KeyState, act: Act, token: number): KeyState {
  const hold: Hold = { agent: act.agent, mode: act.mode, token, until_ms: act.now_ms + act.ttl_ms };
  return { holds: [...without(state.holds, act.agent), hold], queue: without(state.queue, act.agent) };
}

function enqueue(state: KeyState, act: Act, token: number): KeyState {
  const ticket: Ticket = { agent: act.agent, ticket: token, until_ms: act.now_ms + act.ttl_ms };
  return state.queue.some(({ agent }) => agent === act.agent)
    ? state
    : { ...state, queue: [...state.queue, ticket] };
}

function release(state: KeyState, { agent }: Act): KeyState {
  return { holds: without(state.holds, agent), queue: without(state.queue, agent) };
}

const CHANGE = { acquire, release, wait: enqueue } as const;

export interface Outcome {
  readonly answer: Answer;
  /** Undefined if nothing changes. */
  readonly states: Readonly<Record<Key, Json>> | undefined;
}

/** Grants all keys or none. */
export function decide(act: Act, read: (key: Key) => Json | undefined, token: number): Outcome {
  const states = act.keys.map((key) => [key, alive(asState(read(key)), act.now_ms)] as const);
  const holder =
    act.op === 'acquire' ? states.map(([, state]) => blocker(state, act)).find((one) => one !== null) : null;
  if (holder !== null && holder !== undefined)
    return { answer: { granted: false, token, holder }, states: undefined };
  const changed = states.map(([key, state]) => [key, asJson(CHANGE[act.op](state, act, token))] as const);
  return { answer: { granted: true, token, holder: null }, states: Object.fromEntries(changed) };
}

/** The record contains the act, so that the judge can repeat it. */
export function recordOf(act: Act, states: RecordBody['s'], token: number, id?: string): RecordBody {
  return {
    type: act.op,
    agent: act.agent,
    ts_ms: act.now_ms,
    ...(id === undefined ? {} : { id }),
    act: act as unknown as Json,
    token,
    s: states,
  };
}

export function step(act: Act, id?: string) {
  return (view: View): Step<Answer> => {
    const { answer, states } = decide(act, (key) => view.get(key), view.next);
    return { records: states === undefined ? [] : [recordOf(act, states, view.next, id)], result: answer };
  };
}
