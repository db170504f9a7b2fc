/** How `guard log` prints a record: as JSON, with all facts, or as a sentence. */
import { unlessRefused } from '../../core/attempt.ts';
import type { LedgerRecord } from '../../core/ledger.ts';
import type { Store } from '../../store/store.ts';
import { consult } from '../../store/transact.ts';
import type { Shell } from '../shell.ts';
import { chosenNames, logLines, NO_NAMES } from './log-line.ts';
import { recordLine } from './record-line.ts';

export function logFormat(
  { json, raw }: { readonly json?: boolean; readonly raw?: boolean },
  store: Store,
  shell: Shell,
): (record: LedgerRecord) => string {
  if (json === true) return JSON.stringify;
  if (raw === true) return (record) => recordLine(record, shell);
  // A damaged ledger has no names, but its records are still shown.
  return logLines(
    shell,
    unlessRefused(
      () => consult(store, chosenNames),
      () => NO_NAMES,
    ),
  );
}
