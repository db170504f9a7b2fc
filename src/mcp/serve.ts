/**
 * guard as an MCP server over stdio. Every call opens the ledger, does one operation and closes it; a wait sleeps
 * between its looks, so calls never hold each other up. A cancelled call ends its wait, and so does the end of stdin.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { isGuardError } from '../core/error.ts';
import { RESERVED } from '../core/lock-tools.ts';
import type { LockLedger } from '../locks/ledger.ts';
import type { Caller } from '../locks/try.ts';
import { registerCoordination } from './coordination/register.ts';
import { INSTRUCTIONS } from './instructions.ts';
import type { OpenDesk } from './coordination/register.ts';
import type { Reserved } from './shapes.ts';
import { TOOLS } from './tools.ts';
import type { Tool } from './tools.ts';
import { progressOf } from './progress.ts';

/** Here, so that the SDK is one file of the package. */
export { serveHarness } from './serve-harness.ts';

/** A ledger for one call. */
export interface Opened {
  readonly ledger: LockLedger;
  readonly caller: Caller;
  /** True when nobody said who calls, and the environment had to. */
  readonly is_guess: boolean;
  /** Label of the repository, for reservations. */
  readonly project: string;
  close(): void;
}

/** @param agent as the hook filled it in */
export type Open = (
  filepaths: readonly string[],
  from: { readonly agent: string | undefined; readonly cwd: string | undefined },
) => Opened;

/** What a server may offer. */
export type ToolSet = 'locks' | 'coordination';

const deskOf =
  (open: Open): OpenDesk =>
  (from) => {
    const opened = open([], from);
    const { ledger, caller, project } = opened;
    return { desk: { ledger, who: caller.who, project }, close: () => opened.close() };
  };

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Serves until stdin ends or `signal` is aborted; then waits end and are put on record before it returns. */
export async function serveLocks(
  open: Open,
  version: string,
  signal: AbortSignal,
  tools: readonly ToolSet[] = ['locks', 'coordination'],
): Promise<void> {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const capabilities = { logging: {} };
  const server = new McpServer({ name: 'guard', version }, { instructions: INSTRUCTIONS, capabilities });
  for (const tool of tools.includes('locks') ? TOOLS : []) {
    const config = {
      title: tool.title,
      description: tool.description,
      inputSchema: tool.input.shape,
      annotations: { readOnlyHint: tool.is_read_only, destructiveHint: false, openWorldHint: false },
    };
    server.registerTool(tool.name, config, (input: unknown, extra: Extra) => {
      const call = answer(tool, input, open, AbortSignal.any([extra.signal, closing.signal]), extra);
      running.add(call);
      return call.finally(() => running.delete(call));
    });
  }
  if (tools.includes('coordination')) {
    registerCoordination(server, deskOf(open), (own, call) => {
      const run = call(AbortSignal.any([own, closing.signal]));
      running.add(run);
      return run.finally(() => running.delete(run));
    });
  }
  await server.connect(new StdioServerTransport());
  await over(signal);
  closing.abort();
  await Promise.allSettled(running);
  await server.close();
}

function over(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    process.stdin.once('end', end).once('close', end);
    signal.addEventListener('abort', end, { once: true });
  });
}

async function answer(
  tool: Tool,
  input: unknown,
  open: Open,
  signal: AbortSignal,
  extra: Extra,
): Promise<CallToolResult> {
  try {
    const given = input as Reserved & { readonly filepaths?: readonly string[] };
    const from = { agent: given[RESERVED.agent], cwd: given[RESERVED.cwd] };
    const opened = open(given.filepaths ?? [], from);
    try {
      const { ledger, caller } = opened;
      const told = await tool.run(input, { ledger, caller, signal, onWaiting: progressOf(extra) });
      return text(opened.is_guess ? saying(caller.who.id, told) : told, false);
    } finally {
      opened.close();
    }
  } catch (error) {
    if (!isGuardError(error)) throw error;
    const { code, message, hint } = error;
    return text({ error: { code, message, hint } }, true);
  }
}

/** Without the hook nobody knows which agent calls: the answer says whose locks these are. */
function saying(agent: string, told: object & { readonly notes?: readonly string[] }): object {
  const note = `guard was not told who calls, so these are the locks of ${agent}.`;
  return { ...told, agent, notes: [...(told.notes ?? []), note] };
}

const text = (value: object, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  ...(isError ? { isError } : {}),
});
