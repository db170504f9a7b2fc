/** Ledgers as OpenTelemetry: which spans and log records become of which records. */
import { describe, expect, it } from 'vitest';
import type { Json, LedgerRecord } from '../../../src/core/ledger.ts';
import { type LedgerTraced, tracedOf } from '../../../src/history/otlp/export.ts';
import { otlpRequestsOf } from '../../../src/history/otlp/requests.ts';

const BEGIN_MS = Date.parse('2026-01-01T00:00:00.000Z');

/** Records a second apart, numbered from 1. */
const ledger = (...bodies: readonly Record<string, Json>[]): LedgerRecord[] =>
  bodies.map((body, nth) => ({
    ...{ v: 1, id: `r${nth}`, type: 'hold', agent: 'a', s: {}, prev: '', crc: '' },
    ...{ lsn: nth + 1, ts: new Date(BEGIN_MS + nth * 1000).toISOString(), ...body },
  }));

const agent = (id: string, more: Record<string, Json> = {}): Record<string, Json> => ({
  [`agent:${id}`]: {
    ...{ id, kind: 'session', parent: null, joined_lsn: 1, joined_wall_ms: BEGIN_MS, epoch: 1, live: true },
    ...more,
  },
});
const path = (holds: Json[], queue: Json[] = []): Record<string, Json> => ({
  'path:a.txt': { holds, queue, intent: null, last_write: null, touched: 0 },
});
const hold = { agent: 'a', mode: 'exclusive', token: 3, epoch: 1, since_wall_ms: BEGIN_MS + 2000 };
const ticket = { agent: 'b', epoch: 1 };

const DAY: readonly Record<string, Json>[] = [
  { type: 'agent.join', s: agent('a') },
  { type: 'turn', phase: 'start', turn: 1 },
  { type: 'hold', s: path([hold]) },
  { type: 'agent.join', agent: 'b', s: agent('b', { kind: 'subagent', parent: 'a', joined_lsn: 4 }) },
  { type: 'wait', agent: 'b', s: path([hold], [ticket]) },
  { type: 'intent', paths: ['a.txt'], tool: 'Edit', op: 'op1' },
  { type: 'write', path: 'a.txt', tool: 'Edit', op: 'op1', content: 'as_expected' },
  {
    ...{ type: 'write.rejected', agent: 'b', paths: ['a.txt'], tool: 'Edit' },
    denial: { error_type: 'NOT_LOCKED', message: 'SECRET words', details: {} },
  },
  { type: 'message', agent: 'b', s: { 'message:m-9': { subject: 'SECRET', body: 'SECRET' } }, to: ['a'] },
  { type: 'release', s: path([], [ticket]) },
  { type: 'turn', phase: 'end', turn: 1 },
  { type: 'agent.leave', s: agent('a', { live: false }) },
];

interface Encoded {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly attributes: readonly object[];
  readonly endTimeUnixNano: string;
}
interface Body {
  readonly resourceSpans: readonly [
    { resource: { attributes: readonly object[] }; scopeSpans: readonly [{ spans: readonly Encoded[] }] },
  ];
  readonly resourceLogs: readonly [{ scopeLogs: readonly [{ logRecords: readonly Encoded[] }] }];
}
/** As it is sent. */
const sent = (body: unknown): Body => JSON.parse(JSON.stringify(body)) as Body;

const named = ({ spans }: LedgerTraced, name: string) => spans.filter((span) => span.name === name);
const seconds = (ms: number | null | undefined) => (ms == null ? null : (ms - BEGIN_MS) / 1000);

describe('a ledger as spans', () => {
  const traced = tracedOf(ledger(...DAY));

  it('a session with its turn, lock and write, and its subagent, are one trace', () => {
    const [session] = named(traced, 'session');
    const [turn] = named(traced, 'turn');
    const [held] = named(traced, 'hold');
    const [write] = named(traced, 'write');
    const [subagent] = named(traced, 'subagent');
    const [wait] = named(traced, 'wait');
    expect(new Set(traced.spans.map(({ trace }) => trace)).size).toBe(1);
    expect([turn?.parent, subagent?.parent]).toEqual([session?.id, session?.id]);
    expect([held?.parent, write?.parent]).toEqual([turn?.id, turn?.id]);
    expect(wait?.parent).toBe(subagent?.id);
    const times = [session, turn, held, write].map((span) => [seconds(span?.from_ms), seconds(span?.to_ms)]);
    expect(times).toEqual([
      [0, 11],
      [1, 10],
      [2, 9],
      [5, 6],
    ]);
    expect(held?.facts).toMatchObject({ 'guard.path': 'a.txt', 'guard.ended_by': 'release' });
  });

  it('what no record ended is open, and ends with the last record', () => {
    const [request] = otlpRequestsOf(traced, {});
    const { spans } = sent(request?.body).resourceSpans[0].scopeSpans[0];
    const wait = spans.find(({ name }) => name === 'wait');
    expect(wait?.attributes).toContainEqual({ key: 'guard.open', value: { boolValue: true } });
    expect(wait?.endTimeUnixNano).toBe(`${BEGIN_MS + 11_000}000000`);
  });

  it('a refused write is a log record in the trace of its agent, without the words of its denial', () => {
    expect(traced.events).toMatchObject([
      { name: 'guard.write.rejected', severity: 'WARN', facts: { 'guard.error_type': 'NOT_LOCKED' } },
    ]);
    expect(traced.events[0]?.trace).toBe(traced.spans[0]?.trace);
    expect(JSON.stringify([...otlpRequestsOf(traced, {})])).not.toContain('SECRET');
  });

  it('exported twice it is the same, and every id is there once', () => {
    expect(tracedOf(ledger(...DAY))).toEqual(traced);
    expect(new Set(traced.spans.map(({ id }) => id)).size).toBe(traced.spans.length);
  });

  it('an approved write that was never reported ends where the next one to that file begins', () => {
    const intent = (op: string) => ({ type: 'intent', paths: ['a.txt'], tool: 'Edit', op });
    const raced = { type: 'write.raced', path: 'a.txt', tool: 'Edit', op: '2', content: 'differs' };
    const [first, second] = named(
      tracedOf(ledger({ type: 'agent.join', s: agent('a') }, intent('1'), intent('2'), raced)),
      'write',
    );
    expect(first).toMatchObject({ to_ms: BEGIN_MS + 2000, facts: { 'guard.reported': false } });
    expect(second?.failed).toBeDefined();
  });

  it('a command line is a span until its agent has it no more', () => {
    const commands = [{ id: 'c1', paths: ['a.txt'], since_wall_ms: BEGIN_MS }];
    const [command] = named(
      tracedOf(
        ledger({ type: 'agent.join', s: agent('a', { commands }) }, { type: 'command.end', s: agent('a') }),
      ),
      'command',
    );
    expect(command).toMatchObject({ to_ms: BEGIN_MS + 1000, facts: { 'guard.paths': ['a.txt'] } });
  });

  it('a hook is a span that ends with what it recorded, one for all records of a decision', () => {
    const spans = named(
      tracedOf(
        ledger(
          { type: 'agent.join', s: agent('a'), hook_ms: 7, more: 1 },
          { type: 'intent', paths: ['a.txt'], tool: 'Edit', op: '1', hook_ms: 7 },
          { type: 'hold', s: path([hold]) },
        ),
      ),
      'hook',
    );
    expect(spans).toMatchObject([
      {
        ...{ parent: expect.any(String) as string, from_ms: BEGIN_MS + 993, to_ms: BEGIN_MS + 1000 },
        facts: { 'guard.hook_ms': 7, 'guard.record_type': 'intent', 'guard.tool': 'Edit', 'guard.op': '1' },
      },
    ]);
  });

  it('a resumed session goes on in its trace', () => {
    const again = { type: 'agent.join', s: agent('a') };
    const traced = tracedOf(ledger(again, { type: 'agent.leave', s: agent('a', { live: false }) }, again));
    const [first, second] = named(traced, 'session');
    expect(second?.trace).toBe(first?.trace);
    expect(second?.id).not.toBe(first?.id);
  });
});

describe('requests', () => {
  it('are written as OTLP/JSON: hex ids, times as text, enumerations as numbers, a thousand at once', () => {
    const many = Array.from({ length: 1001 }, (_, nth) => ({ type: 'bypass', what: 'off', turn: nth }));
    const requests = [...otlpRequestsOf(tracedOf(ledger(...DAY, ...many)), { 'service.name': 'guard' })];
    expect(requests.map(({ to }) => to)).toEqual(['/v1/traces', '/v1/logs', '/v1/logs']);
    const { resource, scopeSpans } = sent(requests[0]?.body).resourceSpans[0];
    expect(resource.attributes).toEqual([{ key: 'service.name', value: { stringValue: 'guard' } }]);
    const [span] = scopeSpans[0].spans;
    expect(span?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span?.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(span).toMatchObject({ startTimeUnixNano: `${BEGIN_MS}000000`, kind: 1 });
    const [log] = sent(requests[1]?.body).resourceLogs[0].scopeLogs[0].logRecords;
    expect(log).toMatchObject({
      ...{ severityNumber: 13, severityText: 'WARN', eventName: 'guard.write.rejected' },
    });
    expect(log?.attributes).toContainEqual({ key: 'guard.lsn', value: { intValue: '8' } });
  });
});
