/** A ledger as OpenTelemetry: takes its records once, in order, and produces requests in OTLP's JSON form. */
import type { LedgerRecord } from '../../core/ledger.ts';
import { openSpans } from '../spans.ts';
import type { HeldSpan } from '../span.ts';
import { trackApproved } from './approved.ts';
import { spanIdOf, traceIdOf } from './encoding.ts';
import { tracedEventOf } from './events.ts';
import { hookSpanOf } from './hooks.ts';
import { trackSessions } from './sessions.ts';
import type { TracedPlace, TracedEvent, TracedSpan } from './traced.ts';

export interface LedgerTraced {
  readonly spans: readonly TracedSpan[];
  readonly events: readonly TracedEvent[];
  /** Time of the last record: spans that are still open were open then. */
  readonly last_ms: number;
}

export function tracedOf(records: Iterable<LedgerRecord>): LedgerTraced {
  const spans: TracedSpan[] = [];
  const events: TracedEvent[] = [];
  const [sessions, approved, held] = [trackSessions(spans), trackApproved(spans), openSpans()];
  const places: TracedPlace[] = [];
  let last_ms = 0;
  for (const record of records) {
    const { lsn, type, agent } = record;
    last_ms = Math.max(last_ms, Date.parse(record.ts));
    const at = { lsn, type, ms: last_ms };
    sessions.take(record, at);
    const around = sessions.around(agent);
    approved.take(record, at, around ?? alone(agent));
    held.take(record, at);
    for (const span of held.spans.slice(places.length))
      places.push(sessions.around(span.agent) ?? alone(span.agent));
    const hook = hookSpanOf(record, at, around ?? alone(agent));
    if (hook !== null) spans.push(hook);
    const event = tracedEventOf(record, at, around);
    if (event !== null) events.push(event);
  }
  const names = new Map<string, number>();
  for (const [nth, span] of held.spans.entries()) {
    const name = JSON.stringify([span.kind, span.path, span.agent, span.from_lsn]);
    const before = names.get(name) ?? 0;
    names.set(name, before + 1);
    spans.push(spanOf(span, places[nth] ?? alone(span.agent), spanIdOf(name, before)));
  }
  return { spans, events, last_ms };
}

/** The place for an agent whose session appears in no kept record. */
const alone = (agent: string): TracedPlace => ({ trace: traceIdOf(agent), parent: null });

const spanOf = (
  { path, agent, kind, from_ms, to_ms, ended_by, from_lsn }: HeldSpan,
  { trace, parent }: TracedPlace,
  id: string,
): TracedSpan => ({
  ...{ trace, parent, id, name: kind === 'wait' ? 'wait' : 'hold', from_ms, to_ms },
  facts: {
    ...{ 'guard.agent': agent, 'guard.path': path, 'guard.lsn': from_lsn, 'guard.ended_by': ended_by },
    ...(kind === 'wait' ? {} : { 'guard.mode': kind === 'shared' ? 'shared' : 'exclusive' }),
  },
});
