/** OTLP requests as JSON, within a collector's limits: ExportTraceServiceRequest and ExportLogsServiceRequest. */
import { attributesOf, type OtlpFacts, nanosOf } from './encoding.ts';
import type { LedgerTraced } from './export.ts';
import { SEVERITIES, type TracedEvent, type TracedSpan } from './traced.ts';

export interface OtlpRequest {
  /** Path below the endpoint. */
  readonly to: '/v1/traces' | '/v1/logs';
  readonly body: Readonly<Record<string, unknown>>;
}

/** Far below the 20 MiB that a collector accepts per request by default. */
const AT_ONCE = 1_000;
const SCOPE = { name: 'guard.ledger' };
const KIND_INTERNAL = 1;
const STATUS_ERROR = 2;

export function* otlpRequestsOf(
  { spans, events, last_ms }: LedgerTraced,
  of: OtlpFacts,
): Generator<OtlpRequest> {
  const resource = { attributes: attributesOf(of) };
  for (let from = 0; from < spans.length; from += AT_ONCE) {
    const some = spans.slice(from, from + AT_ONCE).map((span) => encodedSpan(span, last_ms));
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: SCOPE, spans: some }] }] };
    yield { to: '/v1/traces', body };
  }
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const some = events.slice(from, from + AT_ONCE).map(encodedEvent);
    const body = { resourceLogs: [{ resource, scopeLogs: [{ scope: SCOPE, logRecords: some }] }] };
    yield { to: '/v1/logs', body };
  }
}

const encodedSpan = (span: TracedSpan, last_ms: number) => ({
  ...{ traceId: span.trace, spanId: span.id },
  ...(span.parent === null ? {} : { parentSpanId: span.parent }),
  ...{ name: span.name, kind: KIND_INTERNAL },
  startTimeUnixNano: nanosOf(span.from_ms),
  endTimeUnixNano: nanosOf(span.to_ms ?? Math.max(span.from_ms, last_ms)),
  attributes: attributesOf({ ...span.facts, 'guard.open': span.to_ms === null ? true : null }),
  ...(span.failed === undefined ? {} : { status: { code: STATUS_ERROR, message: span.failed } }),
});

const encodedEvent = ({ name, ms, severity, facts, trace, parent }: TracedEvent) => ({
  ...{ timeUnixNano: nanosOf(ms), observedTimeUnixNano: nanosOf(ms) },
  ...{ severityNumber: SEVERITIES[severity], severityText: severity, eventName: name },
  ...{ body: { stringValue: name }, attributes: attributesOf(facts) },
  ...(trace === '' ? {} : { traceId: trace }),
  ...(parent === null ? {} : { spanId: parent }),
});
