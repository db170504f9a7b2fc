/** Whether Codex runs guard's hooks: it silently skips any that a person has not trusted. Asks Codex itself. */
import { spawn } from 'node:child_process';
import { asList, asObject, asText, type JsonObject, parsedObject } from '../../core/json-object.ts';
import type { Environment } from '../../repo/user-dirs.ts';
import { isGuardHookCommand } from '../command.ts';
import { findOnPath } from '../find-on-path.ts';

/** guard's hooks as Codex reports them; `null` if it was not found or did not answer. */
export type CodexTrust = readonly { readonly at: string; readonly status: string }[] | null;

/** It starts in a second, even offline. */
const ASK_MS = 10_000;

const ASKED = 2;
const REQUESTS = (cwd: string): readonly object[] => [
  {
    id: 1,
    method: 'initialize',
    params: { clientInfo: { name: 'guard', version: '1' }, capabilities: { experimentalApi: true } },
  },
  { method: 'initialized' },
  { id: ASKED, method: 'hooks/list', params: { cwds: [cwd] } },
];

export async function codexTrust(root: string, env: Environment): Promise<CodexTrust> {
  const program = findOnPath('codex', env['PATH']);
  if (program === null) return null;
  const answer = await ask(program, root, env);
  const [list] = asList(asObject(answer['result'])['data']).map(asObject);
  if (list === undefined) return null;
  const hooks = asList(list['hooks']).map(asObject);
  return hooks
    .filter(({ command }) => isGuardHookCommand(asText(command)))
    .map(({ eventName, enabled, trustStatus }) => ({
      at: asText(eventName),
      status: enabled === false ? 'disabled' : asText(trustStatus),
    }));
}

/** It answers only while its input is open. */
const ask = (program: string, cwd: string, env: Environment): Promise<JsonObject> =>
  new Promise((resolve) => {
    const child = spawn(program, ['app-server'], {
      cwd,
      env: { ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: ASK_MS,
    });
    let text = '';
    const done = (answer: JsonObject): void => {
      child.kill();
      resolve(answer);
    };
    child.on('error', () => done({}));
    child.on('close', () => done({}));
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const answer = text
        .split('\n')
        .map(parsedObject)
        .find(({ id }) => id === ASKED);
      if (answer !== undefined) done(answer);
    });
    for (const request of REQUESTS(cwd))
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
  });
