// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Explicit ids, which make it harmless to repeat a commit. */
import type { RecordBody } from '../core/ledger.ts';
import { misuse } from './told-failure.ts';
import { isExplicitId } from './record.ts';

/** The explicit ids of a commit, as [agent, id]. The same id twice in one commit is a mistake. */
export function explicitIds(records: readonly RecordBody[]): readonly (readonly [string, string])[] {
  const seen = new Set<string>();
  const ids: (readonly [string, string])[] = [];
  for (const { agent, id } of records) {
    if (id === undefined || !isExplicitId(id)) continue;
    const both = `${agent}\0${id}`;
    if (seen.has(both)) throw misuse(`The id ${id} occurs twice in one commit.`, { agent, id });
    seen.add(both);
    ids.push([agent, id]);
  }
  return ids;
}
