/**
 * guard as an MCP server over stdio. Every call opens the ledger, does one operation and closes it; a wait sleeps
 * between its looks, so calls never hold each other up. A cancelled call ends its wait, and so does the end of stdin.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { RESERVED } from '../core/lock-tools.ts';
import type { LockLedger } from '../locks/ledger.ts';
import type { Caller } from '../locks/try.ts';
import { registerCoordination } from './coordination/register.ts';
import { answered, openCalls, text } from './calls.ts';
import { instructionsFor } from './instructions.ts';
import type { OpenDesk } from './coordination/register.ts';
import type { Reserved } from './shapes.ts';
import { TOOLS } from './tools.ts';
import type { Tool } from './tools.ts';
import { progressOf, waitInWords } from './progress.ts';

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

/** One call, as the hook filled it in. */
export interface From {
  readonly agent: string | undefined;
  readonly cwd: string | undefined;
  readonly tool: string;
}

/** @throws GuardError GUARD_ERR_SPEAKER for a call that nobody vouches for */
export type Open = (filepaths: readonly string[], from: From) => Opened;

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
  tools: readonly ToolSet[],
): Promise<void> {
  const calls = openCalls();
  const capabilities = { logging: {} };
  const server = new McpServer(
    { name: 'guard', version },
    { instructions: instructionsFor(tools), capabilities },
  );
  for (const tool of tools.includes('locks') ? TOOLS : []) {
    const config = {
      title: tool.title,
      description: tool.description,
      // Whole, with what a shape cannot say of itself.
      inputSchema: tool.input,
      annotations: { readOnlyHint: tool.is_read_only, destructiveHint: false, openWorldHint: false },
    };
    server.registerTool(tool.name, config, (input: unknown, extra: Extra) =>
      calls.run(extra.signal, (own) => answered(() => answer(tool, input, open, own, extra))),
    );
  }
  if (tools.includes('coordination'))
    registerCoordination(server, deskOf(open), (own, call) => calls.run(own, call));
  await calls.serve(server, signal);
}

async function answer(
  tool: Tool,
  input: unknown,
  open: Open,
  signal: AbortSignal,
  extra: Extra,
): Promise<CallToolResult> {
  const given = input as Reserved & { readonly filepaths?: readonly string[] };
  const from = { agent: given[RESERVED.agent], cwd: given[RESERVED.cwd], tool: tool.name };
  const opened = open(given.filepaths ?? [], from);
  try {
    const { ledger, caller } = opened;
    const told = await tool.run(input, { ledger, caller, signal, onWaiting: progressOf(extra, waitInWords) });
    return text(opened.is_guess ? saying(caller.who.id, told) : told);
  } finally {
    opened.close();
  }
}

/** Without the hook nobody knows which agent calls: the answer says whose locks these are. */
function saying(agent: string, told: object & { readonly notes?: readonly string[] }): object {
  const note = `guard was not told who calls, so these are the locks of ${agent}.`;
  return { ...told, agent, notes: [...(told.notes ?? []), note] };
}
