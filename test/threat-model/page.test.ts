/** The real `guard serve --ui`, as a process, and everyone who would like to see its page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { send, serve, type Server } from '../http/server.ts';
import { verified } from '../../src/page/verified.ts';
import { digestBytes } from '../../src/repo/digest.ts';
import { PACKAGE } from '../install/scratch.ts';
import { installed } from './installed.ts';

type Paged = Server & { readonly page: string };

const keyIn = ({ page }: Paged): string => new URL(page).hash.slice(1);
const post = (server: Server, path: string, key: string, headers: Readonly<Record<string, string>> = {}) =>
  send(server, 'POST', path, { tcp: true, headers: { authorization: `Bearer ${key}`, ...headers } });
const get = (server: Server, path: string, key: string) =>
  send(server, 'GET', path, { tcp: true, headers: { authorization: `Bearer ${key}` } });

describe('somebody else opens the page', () => {
  it('an address opens one tab once, for the page itself, and neither token opens the other side', async () => {
    const server = (await serve(installed(), ['--ui'])) as Paged;
    const key = keyIn(server);
    expect(key.length).toBeGreaterThan(40);
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { host: 'evil.example' },
    ])
      expect((await post(server, '/page/session', key, headers)).status).toBe(403);
    const opened = await post(server, '/page/session', key);
    expect(opened.status).toBe(201);
    expect((await post(server, '/page/session', key)).status).toBe(401);
    const session = String(opened.body['session']);
    const token = readFileSync(server.token_file ?? '', 'utf8').trim();
    const statuses = async (path: string) => {
      const answers = [session, token, key].map((one) => get(server, path, one));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statuses('/page/now')).toEqual([200, 401, 401]);
    expect(await statuses('/api/agents')).toEqual([401, 200, 401]);
    server.signal('SIGTERM');
    // The terminal, which a program of this user could read, shows the address for the next tab.
    expect((await server.ended).stderr).toMatch(
      /Opened\. For another tab:\n {2}http:\/\/127\.0\.0\.1:\d+\/#[\w-]{40,}/,
    );
  });

  it('an agent cannot start it', () => {
    const at = installed();
    const told = at.guardWith({ CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' }, 'serve', '--ui', '--json');
    expect(told.json()).toMatchObject({
      error: { code: 'GUARD_ERR_USAGE', facts: { command: 'guard serve --ui' } },
    });
  });
});

describe('the page shows what others wrote', () => {
  it('its document loads nothing, runs its own script alone, and stands in no frame', async () => {
    const server = await serve(installed(), ['--ui']);
    const url = server.url ?? '';
    const answer = await fetch(url, { headers: { 'sec-fetch-dest': 'document' } });
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; /,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    // Text cannot become markup: the browser refuses every string that would.
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(await answer.text()).toBe(readFileSync(join(PACKAGE, 'dist/page.html'), 'utf8'));
  });

  it('content that is not what its digest says is not shown', () => {
    const bytes = Buffer.from('<script>alert(1)</script>');
    const [own, other] = [digestBytes(bytes), digestBytes(Buffer.from('other'))];
    const answer = { digest: own, state: 'kept', bytes: bytes.toString('base64') } as const;
    expect(verified(own, answer)).toMatchObject({ state: 'verified', text: bytes.toString() });
    expect(verified(other, answer)).toMatchObject({ state: 'false', text: null });
  });
});
