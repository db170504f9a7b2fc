// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Whether something that a commit rests on is another one now. Asked only when records were appended meanwhile. */
import type { Read } from '../store.ts';
import { isIndexed, type LedgerFiles, newestOf } from './ledger.ts';
import { range } from './range.ts';

export const hasMoved = (ledger: LedgerFiles, { keys, lists, indexed }: Read): boolean =>
  [...keys].some(([key, version]) => (newestOf(ledger, key) ?? 0) !== version) ||
  (indexed && !isIndexed(ledger)) ||
  lists.some((list) => range(ledger, list).version !== list.version);
