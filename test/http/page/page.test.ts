/** How the page is entered, and what it receives. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { DenialSeen } from '../../../src/history/denials.ts';
import type { SceneThen } from '../../../src/history/history.ts';
import type { Timeline } from '../../../src/history/timeline.ts';
import { openWaiters } from '../../../src/locks/waiters.ts';
import { readInput } from '../../../src/operations/read-input.ts';
import { SEND_MESSAGE } from '../../../src/operations/send.ts';
import { digestBytes } from '../../../src/repo/digest.ts';
import { scratch } from '../../claude/driver.ts';
import { API_TOKEN, type ServedPage, servePage } from '../../page/served.ts';
import { AFTER, BEFORE, tellStory } from '../../page/story.ts';

const DATA = ['/page/now', '/page/history', '/page/at', '/page/live', '/page/forecast'];

async function opened() {
  const at = scratch();
  const stage = tellStory(at, 600);
  return { at, stage, page: await servePage(at) };
}

/** Sends headers that `fetch` does not let programs set. */
function raw(page: ServedPage, method: string, path: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(page.url);
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const sent = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(parts).toString('utf8'),
          }),
        );
      });
      sent.on('error', reject);
      sent.end();
    },
  );
}

describe('the page', () => {
  it('is one document that loads nothing, runs nothing but its own script, and stands in no frame', async () => {
    const { page } = await opened();
    const { status, headers, text } = await raw(page, 'GET', '/', { 'sec-fetch-dest': 'document' });
    expect(status).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'sha256-[\w+/=]+';/);
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
    expect(text).not.toMatch(/\b(?:src|href)="(?!data:)/);
    const frame = await raw(page, 'GET', '/', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' });
    expect(frame.status).toBe(403);
  });

  it('answers no other page, no other name and no other origin', async () => {
    const { page } = await opened();
    const key = page.keys.issue();
    const { host } = new URL(page.url);
    const wrong: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { host: 'evil.example' },
    ];
    for (const headers of wrong)
      for (const [method, path] of [['POST', '/page/session'] as const, ['GET', '/page/now'] as const]) {
        const answer = await raw(page, method, path, { authorization: `Bearer ${key}`, ...headers });
        expect(answer.status, `${path} ${JSON.stringify(headers)}`).toBe(403);
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    const own = { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect(
      (await raw(page, 'POST', '/page/session', { authorization: `Bearer ${key}`, ...own })).status,
    ).toBe(201);
  });
});

describe('the key of an address', () => {
  it('opens one tab, once', async () => {
    const { page } = await opened();
    const headers = { authorization: `Bearer ${page.keys.issue()}` };
    const statuses = [];
    for (let nth = 0; nth < 2; nth++)
      statuses.push((await raw(page, 'POST', '/page/session', headers)).status);
    expect(statuses).toEqual([201, 401]);
  });

  it('is all that opens it: who has the token of the HTTP interface sees nothing, nor who has none', async () => {
    const { page } = await opened();
    for (const headers of [
      {},
      { authorization: `Bearer ${API_TOKEN}` },
      { authorization: `Bearer ${page.keys.issue()}` },
    ])
      for (const path of DATA) expect((await raw(page, 'GET', path, headers)).status, path).toBe(401);
  });

  it('opens nothing of the HTTP interface', async () => {
    const { page } = await opened();
    expect((await page.ask('/api/agents')).status).toBe(401);
  });
});

describe('what the page is told', () => {
  it('of the end of the ledger is what it is told of this moment', async () => {
    const { page } = await opened();
    const [now, then] = [
      await page.get<{ status: SceneThen['scene'] }>('/page/now'),
      await page.get<SceneThen>('/page/at'),
    ];
    const { leases, waits, cycles, reservations } = now.status;
    expect(leases.length).toBeGreaterThan(2);
    expect(waits.length).toBeGreaterThan(2);
    const heldBy = ({ path, holder }: { path: string; holder: string }) => `${path} ${holder}`;
    expect(then.scene.leases.map(heldBy)).toEqual(leases.map(heldBy));
    expect(then.scene).toMatchObject({ waits, cycles, reservations });
    expect(cycles.map(({ kind }) => kind)).toEqual(['deadlock']);
  });

  it('of an earlier record is what held then, however it is asked for', async () => {
    const { page, stage } = await opened();
    const held = (then: SceneThen) => then.scene.leases.map(({ path, holder }) => `${path} ${holder}`);
    const first = await page.get<SceneThen>('/page/at?nth=1');
    expect(first.before.at(-1)).toMatchObject({ lsn: first.lsn, type: 'hold' });
    expect(held(first)).toHaveLength(1);
    expect(await page.get<SceneThen>(`/page/at?lsn=${first.lsn}`)).toEqual(first);
    expect((await page.get<SceneThen>(`/page/at?at_ms=${first.at_ms}`)).at_ms).toBe(first.at_ms);
    const before = await page.get<SceneThen>('/page/at');
    stage.release('ada', 'src/cart/total.ts');
    const after = await page.get<SceneThen>('/page/at');
    expect(held(before)).toContain('src/cart/total.ts ada');
    expect(held(after)).not.toContain('src/cart/total.ts ada');
    expect(await page.get<SceneThen>(`/page/at?lsn=${before.lsn}`)).toEqual(before);
  });

  it('of a moment before the first record is that none is kept', async () => {
    const { page } = await opened();
    expect(await (await page.ask('/page/at?lsn=0')).json()).toMatchObject({
      code: 404,
      error_code: 'NOT_KEPT',
    });
    expect((await page.ask('/page/at?lsn=x')).status).toBe(400);
  });

  it('of a denial are its reason, its digests and both contents', async () => {
    const { page } = await opened();
    const { denials } = await page.get<{ denials: readonly DenialSeen[] }>(
      '/page/denials?from_ms=0&to_ms=9000000000000',
    );
    const stale = denials.find(({ error_type }) => error_type === 'STALE_FILE');
    expect(stale).toMatchObject({ agent: 'dario', paths: ['src/cart/total.ts'], tool: 'Edit' });
    expect([stale?.seen, stale?.found]).toEqual(
      [BEFORE, AFTER].map((text) => digestBytes(Buffer.from(text))),
    );
    const content = await page.get<{ bytes: string }>(`/page/content?digest=${stale?.found ?? ''}`);
    expect(Buffer.from(content.bytes, 'base64').toString('utf8')).toBe(AFTER);
    expect(await page.get(`/page/content?digest=${'0'.repeat(64)}`)).toMatchObject({
      state: 'not_kept',
      bytes: null,
    });
    expect((await page.ask('/page/content?digest=../../install.json')).status).toBe(400);
  });

  it('of a stretch of time are its files, as many as asked for, and where agents met', async () => {
    const { page } = await opened();
    const timeline = await page.get<Timeline>('/page/timeline?from_ms=0&to_ms=9000000000000&rows=4');
    expect(timeline.rows).toHaveLength(4);
    expect(timeline.more).toBeGreaterThan(2);
    const one = await page.get<Timeline>('/page/timeline?from_ms=0&to_ms=9000000000000&matching=pricing');
    expect(one.rows.map(({ path }) => path)).toEqual(['docs/pricing.md']);
    const { directories } = await page.get<{ directories: readonly object[] }>(
      '/page/contention?from_ms=0&to_ms=9000000000000&depth=2',
    );
    expect(directories).toContainEqual(
      expect.objectContaining({ directory: 'src/cart', agents: 4, writes: 4, denials: 1 }),
    );
  });

  it('is never the text of a message', async () => {
    const { page, stage } = await opened();
    const secret = 'between the two of us';
    const who = { id: 'ada', kind: 'session' as const, parent: null, session: 'ada', proc: null };
    const space = { ...stage.space, who };
    const message = { to: 'brook', subject: secret, body: secret };
    await SEND_MESSAGE.run(readInput(SEND_MESSAGE.fields, message).input, space, {
      waiters: openWaiters(),
      release: () => '',
      signal: new AbortController().signal,
    });
    expect([...stage.space.store.scan()].map((record) => JSON.stringify(record)).join('')).toContain(secret);
    const told = await Promise.all(
      ['/page/now', '/page/at', '/page/history', '/page/denials?from_ms=0&to_ms=9000000000000'].map(
        async (path) => (await page.ask(path)).text(),
      ),
    );
    expect(told.join('')).not.toContain(secret);
  });
});
