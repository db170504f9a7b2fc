/** Before a compaction: drops what agents reserved that it forgets (core/rules/forget-reserved.ts). */
import { forgetReserved, forgottenReservers } from '../core/rules/forget-reserved.ts';
import type { Now } from '../core/types.ts';
import type { Store } from '../store/store.ts';
import { consult, transact } from '../store/transact.ts';

/** Agents in one commit. */
const AGENTS_AT_ONCE = 32;

export function dropForgotten(store: Store, now: Now): void {
  const agents = consult(store, (view) => forgottenReservers(view, now));
  for (let at = 0; at < agents.length; at += AGENTS_AT_ONCE)
    transact(store, (view) => forgetReserved(view, agents.slice(at, at + AGENTS_AT_ONCE), now));
}
