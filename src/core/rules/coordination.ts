/** The rules of reservations, messages and negotiation, as a table. No hook but that of delivery needs any of them. */
import type { View } from '../ledger.ts';
import type { Facts } from '../types.ts';
import { reserve } from './reserve.ts';
import type { ReserveEvent, ReserveResult } from './reserve.ts';
import type { Step } from './rule.ts';
import { releaseOver, unreserve } from './unreserve.ts';
import type { ReleasedOver, ReleaseOverEvent, Unreserved, UnreserveEvent } from './unreserve.ts';

export interface CoordinationRules {
  reserve: { event: ReserveEvent; result: readonly ReserveResult[] };
  unreserve: { event: UnreserveEvent; result: readonly Unreserved[] };
  'release.over': { event: ReleaseOverEvent; result: ReleasedOver };
}

type Table = {
  readonly [T in keyof CoordinationRules]: (
    view: View,
    event: CoordinationRules[T]['event'],
    facts: Facts,
  ) => Step<CoordinationRules[T]['result']>;
};

const TABLE: Table = {
  reserve,
  unreserve,
  'release.over': releaseOver,
};

export function coordinate<T extends keyof CoordinationRules>(
  view: View,
  event: CoordinationRules[T]['event'] & { readonly type: T },
  facts: Facts,
): Step<CoordinationRules[T]['result']> {
  const type: T = event.type;
  return TABLE[type](view, event, facts);
}
