/** Records worth an alert, as log records. Only the facts listed here are exported: no text that anyone wrote. */
import { asList, asObject, asText } from '../../core/json-object.ts';
import type { LedgerRecord } from '../../core/ledger.ts';
import type { At } from '../span.ts';
import type { OtlpFacts } from './encoding.ts';
import type { TracedPlace, Severity, TracedEvent } from './traced.ts';

interface EventRow {
  readonly severity: Severity;
  readonly error_type: (record: LedgerRecord) => string | null;
}

const EVENTS: Readonly<Record<string, EventRow>> = {
  'write.rejected': { severity: 'WARN', error_type: ({ denial }) => asText(asObject(denial)['error_type']) },
  deadlock: { severity: 'ERROR', error_type: () => 'DEADLOCK' },
  'write.raced': { severity: 'ERROR', error_type: () => null },
  bypass: { severity: 'WARN', error_type: () => null },
  'event.forged': { severity: 'WARN', error_type: () => null },
  revoke: { severity: 'INFO', error_type: () => null },
  drift: { severity: 'INFO', error_type: () => null },
};

const TEXTS = ['path', 'tool', 'op', 'cause', 'what', 'event', 'victim', 'resolve', 'author', 'to'] as const;

export function tracedEventOf(
  record: LedgerRecord,
  { ms }: At,
  around: TracedPlace | null,
): TracedEvent | null {
  const row = EVENTS[record.type];
  if (row === undefined) return null;
  const { type, agent, lsn, paths, release, cycle } = record;
  const error_type = row.error_type(record);
  const facts: Record<string, OtlpFacts[string]> = {
    ...{ 'guard.agent': agent, 'guard.record': record.id, 'guard.lsn': lsn },
    ...{ 'guard.error_type': error_type, 'error.type': error_type },
    'guard.agents': asList(cycle).map((edge) => asText(asObject(edge)['from'])),
    ...{ 'guard.paths': asList(paths).map(asText), 'guard.release': asList(release).map(asText) },
  };
  for (const name of TEXTS) facts[`guard.${name}`] = asText(record[name]);
  return { trace: '', parent: null, ...around, name: `guard.${type}`, ms, severity: row.severity, facts };
}
