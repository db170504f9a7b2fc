/** Runs `guard serve --ui` in the test's process, with the built page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { servedProject } from '../../src/cli/served.ts';
import { processShell } from '../../src/cli/shell.ts';
import { openPageKeys, type PageKeys } from '../../src/http/page/keys.ts';
import { CONNECTION_LIMITS } from '../../src/http/listen.ts';
import { serveHttp } from '../../src/http/serve.ts';
import { PACKAGE, type Scratch } from '../claude/driver.ts';

export interface ServedPage {
  readonly url: string;
  readonly keys: PageKeys;
  /** Errors raised in the server. */
  readonly complaints: readonly unknown[];
  /** Sends a request the way the page does. */
  ask(path: string): Promise<Response>;
  get<T>(path: string): Promise<T>;
}

export const API_TOKEN = 'the-token-of-the-http-interface-which-agents-may-have';

export async function servePage(at: Scratch): Promise<ServedPage> {
  const shell = { ...processShell([]), cwd: at.root, env: at.env };
  const complaints: unknown[] = [];
  const served = { ...servedProject(shell, { version: '0', document: {}, sessionsToo: false }) };
  const keys = openPageKeys();
  const html = readFileSync(join(PACKAGE, 'dist/page.html'), 'utf8');
  const serving = await serveHttp(
    { ...served, complain: (error) => void complaints.push(error) },
    { tcp: { host: '127.0.0.1', port: 0, token: API_TOKEN }, socket: null, page: { html, keys } },
    { ...CONNECTION_LIMITS, grace_ms: 200 },
  );
  onTestFinished(() => serving.end());
  const url = serving.url ?? '';
  const { session } = (await (
    await fetch(`${url}/page/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.issue()}` },
    })
  ).json()) as { readonly session: string };
  const ask = (path: string): Promise<Response> =>
    fetch(`${url}${path}`, { headers: { authorization: `Bearer ${session}` } });
  return {
    ...{ url, keys, complaints, ask },
    get: async <T>(path: string) => (await (await ask(path)).json()) as T,
  };
}
