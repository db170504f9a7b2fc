/** Says which records `guard log` does not show. */
import { localMoment } from '../../core/local-time.ts';
import type { LedgerRecord } from '../../core/ledger.ts';
import { firstOf, keptFrom } from '../../store/kept-records.ts';
import type { Store } from '../../store/store.ts';
import type { Shell } from '../shell.ts';

export function sayWhereItBegins(store: Store, state_dir: string, archived: boolean, { err }: Shell): void {
  const begin = firstOf(store.scan());
  if (begin === null) return;
  const kept = keptFrom(state_dir, store);
  if (!archived && kept?.lsn !== begin.lsn)
    err(`guard: the ledger begins at ${momentOf(begin)}; "guard log --archived" has older records.\n`);
  if (kept !== null) err(`guard: records before ${momentOf(kept)} (lsn ${kept.lsn}) are no longer kept.\n`);
}

const momentOf = ({ ts }: Pick<LedgerRecord, 'ts'>): string => localMoment(Date.parse(ts));
