/** How every part of guard (hooks, command line, servers) runs an event: one transaction around `decide`. */
import { decide, type EventOf, type EventType, type Rules } from '../core/decide.ts';
import type { View } from '../core/ledger.ts';
import { judgeAmong } from '../core/rules/among-machines.ts';
import type { Facts } from '../core/types.ts';
import { fill, NEXT } from './placeholder.ts';
import type { AtPace, Pace, Sight, Step, Store } from './store.ts';
import { consult, transact, type TransactOptions } from './transact.ts';

export type { EventOf } from '../core/decide.ts';

type Judge<T extends EventType> = (view: Sight) => Step<Rules[T]['result']>;

/** On a shared ledger, only its own clock counts. */
export const judgeOf =
  <T extends EventType>(store: Store<Pace>, event: EventOf<T>, facts: Facts): Judge<T> =>
  (view) =>
    store.supports.shared ? judgeAmong(view, event, facts, decide<T>) : decide<T>(view, event, facts);

export interface OperateOptions extends TransactOptions {
  /** In a hook: for how many milliseconds it has run. */
  readonly hookMs?: (() => number) | undefined;
}

export function operate<T extends EventType, P extends Pace>(
  store: Store<P>,
  event: EventOf<T>,
  facts: Facts,
  { hookMs, ...options }: OperateOptions = {},
): AtPace<P, Rules[T]['result']> {
  const judge = judgeOf<T>(store, event, facts);
  return transact(store, (view) => undated(judge(view), hookMs), options);
}

/** A rule decides by the time of its look, but appending its records may have to wait for others, so they are dated then. */
function undated<T>({ records, result }: Step<T>, hookMs: OperateOptions['hookMs']): Step<T> {
  const spent = hookMs && records.length > 0 ? { hook_ms: hookMs() } : {};
  return { records: records.map((body) => ({ ...body, ...spent, ts_ms: NEXT })), result };
}

/** The same decision on a snapshot, without writing anything: for `guard explain` and dry runs. */
export const consider = <T extends EventType>(
  store: Store,
  event: EventOf<T>,
  facts: Facts,
): Rules[T]['result'] =>
  consult(store, (view) => fill(judgeOf<T>(store, event, facts)(view).result, view.tip));

/** What a step would answer; its records are discarded. */
export const onSnapshot = <T>(store: Store, judge: (view: View) => Step<T>): T =>
  consult(store, (view) => fill(judge(view).result, view.tip));
