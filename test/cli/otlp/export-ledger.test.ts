/** `guard log --otlp`: to a file, and to a collector that only the user can name. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { oneAgent, scratch, type Scratch } from '../../claude/driver.ts';

const parsed = (text: string) => JSON.parse(text) as Record<string, unknown>;

/** Accepts requests like a collector, and returns the given answer. */
async function collector(status: number, answer: object) {
  const got: { readonly url: string | undefined; readonly body: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ url: request.url, body: parsed(Buffer.concat(chunks).toString()) });
      response.writeHead(status, { location: '/elsewhere' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, got };
}

const userSays = (at: Scratch, config: object): string =>
  at.put(`${at.home}/.config/guard/config.json`, JSON.stringify(config));

const worked = () => {
  const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
  agent.write('a.txt', 'x');
  agent.lock('a.txt');
  agent.edit('a.txt', 'one', 'two');
  return at;
};

const exported = (at: Scratch) => at.startGuard({}, 'log', '--otlp').done;

describe('guard log --otlp', () => {
  it('FILE has a request a line; again it is the same', () => {
    const at = worked();
    const file = at.path('ledger.jsonl');
    expect(at.guard('log', '--otlp', file).exit).toBe(0);
    const text = readFileSync(file, 'utf8');
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => Object.keys(parsed(line)))).toEqual([['resourceSpans'], ['resourceLogs']]);
    for (const name of ['session', 'turn', 'hold', 'write', 'hook'])
      expect(text).toContain(`"name":"${name}"`);
    expect(text).toContain('"key":"guard.error_type","value":{"stringValue":"NOT_LOCKED"}');
    expect(at.guard('log', '--otlp', '-').stdout).toBe(text);
  });

  it('a file that cannot be written is an error that names it', () => {
    const { exit, stderr } = scratch().guard('log', '--otlp', '/nowhere/x.jsonl');
    expect(exit).toBe(2);
    expect(stderr).toContain('GUARD_ERR_IO /nowhere/x.jsonl');
  });

  it('an agent can print it, but neither write a file nor post', () => {
    const { at } = oneAgent();
    const inClaude = { CLAUDECODE: '1' };
    expect(at.guardWith(inClaude, 'log', '--otlp', 'a.txt').exit).toBe(64);
    expect(at.guardWith(inClaude, 'log', '--otlp').exit).toBe(64);
    expect(at.guardWith(inClaude, 'log', '--otlp', '-').exit).toBe(0);
  });

  it('with a filter is refused: it would not be applied', () => {
    expect(scratch().guard('log', '--since', '1h', '--otlp', '-').exit).toBe(64);
  });

  it('without a file posts traces and logs to the endpoint of the user', async () => {
    const at = worked();
    expect(at.guard('log', '--otlp').exit).toBe(64);
    const { address, got } = await collector(200, { partialSuccess: {} });
    userSays(at, { otlp_endpoint: address });
    expect(await exported(at)).toMatchObject({ exit: 0 });
    expect(got.map(({ url }) => url)).toEqual(['/v1/traces', '/v1/logs']);
    expect(got.map(({ body }) => Object.keys(body))).toEqual([['resourceSpans'], ['resourceLogs']]);
  });

  it.each([
    ['refuses', 503, {}],
    ['sends on to another address', 307, {}],
    ['rejects some', 200, { partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } }],
  ])('a collector that %s is an error', async (_, status, answer) => {
    const at = worked();
    const { address, got } = await collector(status, answer);
    userSays(at, { otlp_endpoint: address });
    const told = await exported(at);
    expect(told.exit).toBe(2);
    expect(told.stderr).toContain('GUARD_ERR_EXPORT');
    expect(got).toHaveLength(1);
  });

  it('a collector that is not there is an error', () => {
    const at = worked();
    userSays(at, { otlp_endpoint: 'http://127.0.0.1:1' });
    const { exit, stderr } = at.guard('log', '--otlp');
    expect(exit).toBe(2);
    expect(stderr).toContain('GUARD_ERR_EXPORT');
  });
});
