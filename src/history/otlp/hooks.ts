/** What hooks took, as spans that end with what they recorded. */
import { asText } from '../../core/json-object.ts';
import type { LedgerRecord } from '../../core/ledger.ts';
import type { At } from '../span.ts';
import { spanIdOf } from './encoding.ts';
import type { TracedPlace, TracedSpan } from './traced.ts';

/** Null if no hook made this record, or if more records of the same decision follow. */
export function hookSpanOf(record: LedgerRecord, { lsn, ms }: At, around: TracedPlace): TracedSpan | null {
  const { agent, hook_ms, more, type, tool, op } = record;
  if (typeof hook_ms !== 'number' || more !== undefined) return null;
  return {
    ...{ ...around, id: spanIdOf('hook', agent, lsn), name: 'hook', from_ms: ms - hook_ms, to_ms: ms },
    facts: {
      ...{ 'guard.agent': agent, 'guard.record_type': type, 'guard.lsn': lsn, 'guard.hook_ms': hook_ms },
      ...{ 'guard.tool': asText(tool), 'guard.op': asText(op) },
    },
  };
}
