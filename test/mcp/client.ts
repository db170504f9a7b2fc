/** The real server as a client starts it: a process on pipes, driven by the official SDK's client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished } from 'vitest';
import { signed } from '../../src/claude/events/sign-call.ts';
import { type Env, GUARD, type Scratch } from '../claude/driver.ts';

export interface Row {
  readonly filepath: string;
  readonly acquired?: boolean;
  readonly released?: boolean;
  readonly was_held?: boolean;
  readonly held_by_me?: boolean;
  readonly holder?: string | null;
  readonly holders?: readonly string[];
  readonly token?: number | null;
  readonly error?: string;
  readonly changed?: { readonly since_read: true; readonly by: string; readonly gone?: true };
  readonly deadlock?: {
    readonly victim: string;
    readonly release: string;
    readonly cycle: readonly object[];
  };
}

export interface Told {
  readonly results: readonly Row[];
  readonly all_acquired?: boolean;
  readonly all_released?: boolean;
  readonly count?: number;
  readonly agent?: string;
  readonly notes?: readonly string[];
  readonly error?: { readonly code: string; readonly hint: string };
}

export interface Server {
  readonly client: Client;
  readonly pid: number;
  /** Calls a tool as the given agent, signed as the hook would sign it. */
  readonly as: (agent: string) => Tools;
  /** The hook's signature for one call. */
  readonly seal: (agent: string, tool: string) => string;
  /** Puts any text where the hook would sign. */
  readonly claiming: (agent: string) => Tools;
  /** Does not say which agent is calling. */
  readonly anonymous: Tools;
  readonly close: () => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
}

export interface Tools {
  readonly call: (tool: string, input?: object, options?: CallOptions) => Promise<Told>;
  readonly lockTry: (...filepaths: readonly string[]) => Promise<Told>;
  readonly lockWait: (timeout_seconds: number, ...filepaths: readonly string[]) => Promise<Told>;
  readonly release: (...filepaths: readonly string[]) => Promise<Told>;
}

/** One server process, as a client has one for its session and all of its subagents. */
export async function serve(at: Scratch, env: Env = {}, args: readonly string[] = []): Promise<Server> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [GUARD, 'mcp', ...args],
    cwd: at.root,
    env: { ...at.env, ...env },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  // Once the SDK knows a tool's output schema, it validates every answer against it.
  await client.listTools();
  const server: Server = {
    client,
    pid: transport.pid ?? 0,
    as: (agent) => toolsOf(client, (tool) => ({ _agent: signatureOf(at, agent, tool) })),
    seal: (agent, tool) => signatureOf(at, agent, tool),
    claiming: (_agent) => toolsOf(client, () => ({ _agent })),
    anonymous: toolsOf(client, () => ({})),
    close: () => client.close(),
  };
  onTestFinished(() => server.close());
  return server;
}

let calls = 0;

/** As the hook would sign one of its calls. */
export const signatureOf = ({ env }: Pick<Scratch, 'env'>, agent: string, tool: string): string =>
  signed({ agent, tool, id: `toolu_${++calls}` }, { wall_ms: Date.now() }, env) ?? '';

function toolsOf(client: Client, reservedFor: (tool: string) => object): Tools {
  const call = async (name: string, input: object = {}, options: CallOptions = {}): Promise<Told> => {
    const result = await client.callTool(
      { name, arguments: { ...input, ...reservedFor(name) } },
      undefined,
      options,
    );
    const [content] = result.content as { type: string; text: string }[];
    return JSON.parse(content?.text ?? 'null') as Told;
  };
  return {
    call,
    lockTry: (...filepaths) => call('lock_try', { filepaths }),
    lockWait: (timeout_seconds, ...filepaths) => call('lock_wait', { filepaths, timeout_seconds }),
    release: (...filepaths) => call('lock_release', { filepaths }),
  };
}

/** Waits until the check passes. */
export async function until(check: () => boolean | Promise<boolean>, limit_ms = 5_000): Promise<void> {
  for (const end = performance.now() + limit_ms; !(await check());) {
    if (performance.now() > end) throw new Error('it never came about');
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
