/** Spans and log records of an export before they are encoded. */
import type { OtlpFacts } from './encoding.ts';

/** Where a span or event belongs: its trace, and the span of the enclosing turn or session. */
export interface TracedPlace {
  readonly trace: string;
  readonly parent: string | null;
}

export interface TracedSpan extends TracedPlace {
  readonly id: string;
  readonly name: string;
  readonly from_ms: number;
  /** `null` while no record has ended it. */
  to_ms: number | null;
  facts: OtlpFacts;
  /** Why it counts as failed. */
  failed?: string;
}

export interface TracedEvent extends TracedPlace {
  readonly name: string;
  readonly ms: number;
  readonly severity: Severity;
  readonly facts: OtlpFacts;
}

/** Numbers of OTLP's SeverityNumber. */
export const SEVERITIES = { INFO: 9, WARN: 13, ERROR: 17 } as const;
export type Severity = keyof typeof SEVERITIES;

export function endSpan(span: TracedSpan, ms: number, facts: OtlpFacts = {}): void {
  span.to_ms = Math.max(span.from_ms, ms);
  span.facts = { ...span.facts, ...facts };
}
