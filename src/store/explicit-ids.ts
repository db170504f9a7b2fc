// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What makes the repetition of a commit harmless. */
import type { RecordBody } from '../core/ledger.ts';
import { misuse } from './told-failure.ts';
import { isExplicitId } from './record.ts';

/** The explicit ids of a commit, as [agent, id]. Two equal ones in one commit are a mistake. */
export function explicitIds(records: readonly RecordBody[]): readonly (readonly [string, string])[] {
  const seen = new Set<string>();
  const ids: (readonly [string, string])[] = [];
  for (const { agent, id } of records) {
    if (id === undefined || !isExplicitId(id)) continue;
    const both = `${agent}\0${id}`;
    if (seen.has(both)) throw misuse(`The id ${id} is in one commit twice.`, { agent, id });
    seen.add(both);
    ids.push([agent, id]);
  }
  return ids;
}
