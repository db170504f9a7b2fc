/** Drafted agents with the real client, which reaches its Messages API over a loopback port of this process. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { inject } from 'vitest';

import type { Api } from './client/api.ts';
import { guarded, logOf, userSettings } from './client/guarded.ts';
import type { Scenario } from './client/scenario.ts';
import type { Files, Scratch, Told } from './client/scratch.ts';
import type { Stage } from './client/stage.ts';

export interface Ended {
  readonly agentId: string;
  readonly status: string;
  readonly reason: string | null;
  readonly message: string;
  readonly turns: number;
  readonly result?: { readonly summary: string };
  readonly worktree?: {
    readonly dir: string;
    readonly branch: string;
    readonly changed: readonly string[];
    readonly commits: number;
    readonly kept: boolean;
  };
}

/** A person's session, in a separate process group. */
export interface Session {
  readonly id: string;
  readonly pid: number;
  /** Kills the client and its whole process group, including its MCP servers. */
  crash(): Promise<void>;
}

export interface Yard {
  readonly scratch: Scratch;
  readonly api: Api;
  /** Runs a program in the repository without blocking the API. */
  run(program: string, ...args: readonly string[]): Promise<Told>;
  /** Runs guard without blocking the API. */
  guard(...args: readonly string[]): Promise<Told>;
  draft(role: string, prompt: string): Promise<string>;
  await(id: string): Promise<Ended>;
  /** guard's answer to a command, as JSON. */
  json(...args: readonly string[]): Promise<unknown>;
  /** A client with the server `guard-harness`; the user's settings allow its tools. */
  session(prompt: string): Session;
}

const ROLES: Readonly<Record<string, object>> = {
  lead: { category: 'conversational', prompt: 'You lead.' },
  dev: { category: 'worker', prompt: 'You write code.', tools: ['Read', 'Edit', 'Write', 'mcp__wrong'] },
  writer: {
    category: 'worker',
    prompt: 'You write and commit.',
    tools: ['Read', 'Edit', 'Bash(git commit:*)'],
  },
  quiet: { category: 'worker', prompt: 'You may not be silent.', limits: { stall: '3s' } },
  cheap: { category: 'worker', prompt: 'You cost nothing.', tools: ['Read'], limits: { cost_usd: 0.000001 } },
  short: { category: 'worker', prompt: 'You are short.', tools: ['Read'], limits: { turns: 2, repeats: 50 } },
};

export async function yard(stage: Stage, files: Files, scenario: Scenario, mcp: object = {}): Promise<Yard> {
  const roles = Object.entries(ROLES).map(([name, role]) => [
    `.agents/roles/${name}.json`,
    JSON.stringify({ name, ...role }),
  ]);
  const scratch = guarded(stage, { ...files, ...(Object.fromEntries(roles) as Files) });
  if (Object.keys(mcp).length > 0) {
    scratch.write('.mcp.json', JSON.stringify({ mcpServers: mcp }));
    userSettings(scratch, { enabledMcpjsonServers: Object.keys(mcp) });
  }
  const api = await stage.api(scenario);
  const url = await portTo(api.socket, stage);
  const env = { ...scratch.env, ANTHROPIC_BASE_URL: url };
  const run = (program: string, ...args: readonly string[]): Promise<Told> =>
    new Promise((resolve) => {
      const child = spawn(program, args, { cwd: scratch.repo, env });
      const told = { stdout: '', stderr: '' };
      child.stdout.on('data', (text: Buffer) => (told.stdout += text.toString()));
      child.stderr.on('data', (text: Buffer) => (told.stderr += text.toString()));
      // The directory may have been removed with its test.
      child.on('error', (error) => resolve({ code: null, ...told, stderr: error.message }));
      child.on('close', (code) => resolve({ code, ...told }));
    });
  const guard = (...args: readonly string[]): Promise<Told> => run(process.execPath, guardProgram(), ...args);
  const json = async (...args: readonly string[]): Promise<unknown> => {
    const told = await guard(...args, '--json');
    try {
      return JSON.parse(told.stdout) as unknown;
    } catch {
      throw new Error(`${args.join(' ')}: ${String(told.code)} ${told.stdout}${told.stderr}`);
    }
  };
  return {
    scratch,
    api,
    run,
    guard,
    json,
    session(prompt) {
      const session = sessionWith(prompt, scratch.repo, env);
      stage.after(() => session.crash());
      return session;
    },
    // Fails here, because waiting for the first message of an agent that does not exist would never end.
    async draft(role, prompt) {
      const told = (await json('agent', 'draft', '--role', role, prompt)) as { agentId?: string };
      if (told.agentId === undefined) throw new Error(JSON.stringify(told));
      return told.agentId;
    },
    await: async (id) => (await json('agent', 'await', id)) as Ended,
  };
}

function sessionWith(prompt: string, cwd: string, env: Scratch['env']): Session {
  const id = randomUUID();
  const server = { command: process.execPath, args: [guardProgram(), 'mcp', '--tools', 'harness'] };
  const servers = JSON.stringify({ mcpServers: { 'guard-harness': server } });
  const args = ['-p', prompt, '--output-format', 'stream-json', '--verbose', '--session-id', id];
  const client = spawn('claude', [...args, '--mcp-config', servers], {
    cwd,
    env,
    stdio: 'ignore',
    detached: true,
  });
  const { pid } = client;
  if (pid === undefined) throw new Error('no client');
  const over = new Promise<void>((resolve) => client.on('exit', () => resolve()));
  const crash = async (): Promise<void> => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
    await over;
  };
  return { id, pid, crash };
}

export interface Marks {
  readonly supervisor: { readonly pid: number };
  readonly client: { readonly pid: number };
}

/** The process marks of an agent's newest run. */
export function marksOf({ scratch }: Yard, id: string): Marks {
  const state = logOf(scratch, '--type', 'draft')
    .filter(({ agent, phase }) => agent === id && phase === 'run')
    .at(-1)?.['s'] as Record<string, Marks> | undefined;
  const marks = state?.[`draft:${id}`];
  if (marks === undefined) throw new Error(`${id} never ran`);
  return marks;
}

/** Live processes that carry the mark of one of these agents. */
export const processesOf = (ids: readonly string[]): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      if (/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return false;
      const environ = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
      return ids.some((id) => environ.includes(`GUARD_DRAFTED=${id}`));
    } catch {
      // Not a process, or one that has ended meanwhile.
      return false;
    }
  });

export const guardProgram = (): string => join(inject('guard'), 'bin/guard.cjs');

async function portTo(socket: string, stage: Stage): Promise<string> {
  const server = createServer((client) => {
    const api = connect(socket);
    client.pipe(api).pipe(client);
    const drop = (): void => {
      client.destroy();
      api.destroy();
    };
    client.on('error', drop);
    api.on('error', drop);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  stage.after(() => void server.close());
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
