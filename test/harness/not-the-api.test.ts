/** Answers that are not the API's, from proxies and broken connections: recorded streams of the client (2.1.330). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endingOf } from '../../src/harness/ending.ts';
import { streamProgress } from '../../src/harness/stream.ts';

const endOf = (name: string) => {
  const log = readFileSync(join(import.meta.dirname, '../fixtures/streams', `${name}.jsonl`), 'utf8');
  const end = { exit_code: 1, signal: null, error: null, stderr: '' };
  return endingOf(streamProgress(log.trimEnd().split('\n')), end, { kill: null, exceeded: null });
};

describe('an answer that is not the API’s', () => {
  it('a proxy’s page that says what is wrong: its status counts', () => {
    const { status, reason, api_error } = endOf('api-502-html');
    expect(status).toBe('failed');
    expect(api_error).toEqual({ status: 502, kind: 'server_error', attempts: 2, is_transient: true });
    expect(reason).toMatch(
      /^API error 502 server_error \(2 attempts, may pass\): API Error: 502 Bad Gateway/,
    );
    expect(reason).not.toContain('<html>');
  });

  it.each([
    ['api-200-html', 1],
    ['api-malformed', 1],
    ['api-cut-short', 2],
  ])('%s: there was a connection, and what came through it may be well next time', (name, attempts) => {
    const { status, reason, api_error } = endOf(name);
    expect(status).toBe('failed');
    expect(api_error).toEqual({
      ...{ status: 200, kind: 'malformed_response', attempts, is_transient: true },
    });
    expect(reason).toMatch(/^API error 200 malformed_response \(\d attempts?, may pass\): API Error: /);
    expect(reason).not.toContain('no connection');
  });

  it('half a stream was paid for: what the client says of it counts', () => {
    expect(endOf('api-malformed').usage.cost_usd).toBe(0.00006);
  });
});
