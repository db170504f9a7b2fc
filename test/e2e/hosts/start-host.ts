/** One prompt to another client, inside a Claude Code whose variables are still set. */
import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import type { HostClient } from './clients.ts';
import { startModel, type Turn } from './model.ts';

export const LIMIT_MS = 300_000;

export interface HostRun {
  readonly at: { readonly root: string; readonly home: string };
  readonly client: HostClient;
  readonly command: readonly string[];
}

/** Resolves at its end, to everything that its model was sent. */
export async function startHost(
  { at: { root, home }, client, command }: HostRun,
  turns: readonly Turn[],
): Promise<string> {
  const started: ChildProcess[] = [];
  const model = await startModel(turns, () => started.forEach((one) => one.kill('SIGKILL')));
  const place = { root, home, port: model.port };
  client.setUp(place);
  const [program = '', ...before] = command;
  const env = {
    PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    USER: 'guard',
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    CLAUDE_CODE_SESSION_ID: 'outer',
    CLAUDE_PID: '1',
    GUARD_AGENT_ID: 'claude-outer',
    ...client.env(place),
  };
  const child = spawn(program, [...before, ...client.args('go')], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  started.push(child);
  await new Promise((resolve) => child.on('close', resolve));
  model.close();
  return model.heard();
}
