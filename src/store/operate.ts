/** How every face of guard (hooks, command line, servers) runs one event: one transaction around `decide`. */
import { decide } from '../core/decide.ts';
import type { EventOf, EventType, Rules } from '../core/decide.ts';
import { agentKey, GLOBS, pathKey, waitKey } from '../core/keys.ts';
import type { Key, View } from '../core/ledger.ts';
import type { Facts } from '../core/types.ts';
import type { Step } from './store.ts';

/** What the short-lived processes use of an engine: the same laws, without promises (they cost start-up time). */
export interface SyncStore {
  transactSync<T>(keys: readonly Key[], step: (view: View) => Step<T>): T;
  readSync(keys: readonly Key[], prefixes?: readonly string[]): View;
  /** Looks at everything at one moment, while the lock is held: short, and the view is of no use afterwards. */
  lookSync<T>(look: (view: View) => T): T;
  closeSync(): void;
}

export type { EventOf } from '../core/decide.ts';

export function operate<T extends EventType>(
  store: SyncStore,
  event: EventOf<T>,
  facts: Facts,
): Rules[T]['result'] {
  return store.transactSync(firstKeys(event), (view) => decide<T>(view, event, facts));
}

/** The same judgement on a snapshot, nothing written: `guard explain` and dry runs. */
export function consider<T extends EventType>(
  store: SyncStore,
  event: EventOf<T>,
  facts: Facts,
): Rules[T]['result'] {
  return onSnapshot(store, firstKeys(event), (view) => decide<T>(view, event, facts));
}

/** Runs a step against snapshots until it has the keys it needs. Its records are dropped. */
export function onSnapshot<T>(store: SyncStore, first: readonly Key[], judge: (view: View) => Step<T>): T {
  let keys = first;
  for (;;) {
    const step = judge(store.readSync(keys));
    if ('result' in step) return step.result;
    keys = [...keys, ...step.need];
  }
}

/** The keys that the rule will ask for anyway, so that it runs once. */
function firstKeys(event: Rules[EventType]['event']): Key[] {
  const { who } = event;
  const keys = [agentKey(who.id), waitKey(who.id), ...(who.parent === null ? [] : [agentKey(who.parent)])];
  const paths = pathsOf(event);
  return paths.length === 0 ? keys : [...keys, GLOBS, ...paths.map(pathKey)];
}

function pathsOf(event: Rules[EventType]['event']): readonly string[] {
  if ('paths' in event) return event.paths;
  if ('targets' in event) return event.targets.map((target) => target.path);
  return 'written' in event ? event.written.map((written) => written.path) : [];
}
