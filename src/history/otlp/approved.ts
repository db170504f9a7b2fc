/** Writes as spans, from their approval to the report of what was written. */
import { asList, asText } from '../../core/json-object.ts';
import type { LedgerRecord } from '../../core/ledger.ts';
import type { At } from '../span.ts';
import { spanIdOf } from './encoding.ts';
import { type TracedPlace, endSpan, type TracedSpan } from './traced.ts';

export interface ApprovedLog {
  take(record: LedgerRecord, at: At, around: TracedPlace): void;
}

/** @param spans receives the spans in the order in which they begin */
export function trackApproved(spans: TracedSpan[]): ApprovedLog {
  const open = new Map<string, TracedSpan>();
  const begin = (path: string, { agent, tool, op }: LedgerRecord, where: TracedPlace & At): TracedSpan => {
    const { trace, parent, lsn, ms } = where;
    const span: TracedSpan = {
      ...{ trace, parent, id: spanIdOf('write', agent, path, lsn), name: 'write', from_ms: ms, to_ms: null },
      facts: { 'guard.agent': agent, 'guard.path': path, 'guard.tool': asText(tool), 'guard.op': asText(op) },
    };
    spans.push(span);
    return span;
  };
  const nameOf = (path: string, { agent }: LedgerRecord): string => JSON.stringify([agent, path]);
  return {
    take(record, at, around) {
      const { type, paths, path, op, content, digest } = record;
      if (type === 'intent') {
        for (const one of asList(paths).map(asText)) {
          const before = open.get(nameOf(one, record));
          // Its call failed, or its end was never reported.
          if (before !== undefined) endSpan(before, at.ms, { 'guard.reported': false });
          open.set(nameOf(one, record), begin(one, record, { ...around, ...at }));
        }
        return;
      }
      if (type !== 'write' && type !== 'write.raced') return;
      const name = nameOf(asText(path), record);
      const approved = open.get(name);
      const isSame = approved !== undefined && approved.facts['guard.op'] === asText(op);
      const span = isSame ? approved : begin(asText(path), record, { ...around, ...at });
      if (isSame) open.delete(name);
      endSpan(span, at.ms, { 'guard.content': asText(content), 'guard.digest': asText(digest) });
      if (type === 'write.raced') span.failed = 'it replaced something other than what was approved';
    },
  };
}
