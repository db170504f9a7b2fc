/**
 * guard as an MCP server over stdio: one table of tools, one way to call them. Every call opens its ledger, performs one
 * operation and closes it; a wait sleeps between its looks, so calls never block each other. Cancelling a call ends its wait,
 * and so does the end of stdin.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { asObject } from '../core/json-object.ts';
import { RESERVED } from '../core/lock-tools.ts';
import { openWaiters, type Waiters } from '../locks/waiters.ts';
import { argumentsIn, filesIn, placeIn, saidIn } from './call-input.ts';
import { SERVED_COORDINATION_TOOLS } from './coordination-tools.ts';
import { SERVED_EVERYBODY, SERVED_HARNESS_TOOLS } from './harness-tools.ts';
import { SERVED_LOCK_TOOLS } from './lock-tools.ts';
import { trackCalls } from './calls.ts';
import { patienceOf } from './patience.ts';
import { draftInWords, progressNotifier, waitInWords } from './progress.ts';
import { failedResult, NO_TOOL, resultOf, resultOfError } from './result.ts';
import type { Opened, Signal, Tool } from './tool.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';

/** One call: the fields that the hook filled in, and the files that it concerns. */
interface From {
  readonly tool: string;
  readonly agent: string | undefined;
  readonly cwd: string | undefined;
  readonly filepaths: readonly string[];
}

/** @throws GuardError GUARD_ERR_SPEAKER for a call whose caller is not verified */
export type Open<At extends CallerWorkspace> = (from: From) => Opened<At>;

/** A tool together with the ledger its calls work on. */
export interface ServedTool {
  readonly name: string;
  readonly listed: object;
  readonly answer: (asked: unknown, hearing: Hearing) => Promise<CallToolResult>;
}

export interface Served {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly ServedTool[];
}

export const servedAt = <At extends CallerWorkspace>(
  tools: readonly Tool<At>[],
  open: Open<At>,
): readonly ServedTool[] =>
  tools.map((tool) => ({
    name: tool.name,
    listed: tool.listed,
    answer: (asked, hearing) => answer(open, tool, asked, hearing),
  }));

/** Exported here, so that the SDK and the tools are one file of the package. */
export { instructionsFor } from './instructions.ts';
export const TOOLS = {
  locks: SERVED_LOCK_TOOLS,
  coordination: SERVED_COORDINATION_TOOLS,
  harness: SERVED_HARNESS_TOOLS,
  everybody: SERVED_EVERYBODY,
};

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Serves until stdin ends or `signal` is aborted; waits then end and are recorded before it returns. */
export async function serveTools(
  { name, version, instructions, tools }: Served,
  signal: AbortSignal,
): Promise<void> {
  const calls = trackCalls();
  const waiters = openWaiters();
  const mcp = new McpServer({ name, version }, { instructions, capabilities: { tools: {}, logging: {} } });
  const tell = (data: Signal): void => {
    mcp.server.sendLoggingMessage({ level: 'info', logger: 'guard', data }).catch(() => undefined);
  };
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ listed }) => listed) }));
  // A handler of tools/call never sees a malformed call: the SDK answers it with its own error.
  mcp.server.removeRequestHandler('tools/call');
  mcp.server.fallbackRequestHandler = async ({ method, params }, extra) => {
    if (method !== 'tools/call')
      throw Object.assign(new Error('Method not found'), { code: ErrorCode.MethodNotFound });
    const { name, arguments: given } = asObject(params);
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) return failedResult(NO_TOOL(String(name)));
    return calls.run(extra.signal, (own) =>
      tool.answer(given, {
        ...extra,
        ...{ signal: own, waiters, tell },
        patience_ms: patienceOf(mcp.server.getClientVersion()?.name, process.env),
      }),
    );
  };
  await calls.serve(mcp, new StdioServerTransport(), signal);
}

interface Hearing extends Pick<Extra, '_meta' | 'sendNotification' | 'signal'> {
  readonly waiters: Waiters;
  readonly patience_ms: number;
  readonly tell: (signal: Signal) => void;
}

async function answer<At extends CallerWorkspace>(
  open: Open<At>,
  tool: Tool<At>,
  asked: unknown,
  hearing: Hearing,
): Promise<CallToolResult> {
  try {
    const { [RESERVED.agent]: agent, [RESERVED.cwd]: cwd, ...given } = argumentsIn(asked);
    const run = tool.prepare(given);
    const opened = open({
      tool: tool.name,
      agent: saidIn(agent),
      cwd: placeIn(cwd),
      filepaths: filesIn(given),
    });
    const { workspace } = opened;
    try {
      const told = await run(workspace, {
        ...{ signal: hearing.signal, waiters: hearing.waiters, release: opened.release },
        patience_ms: hearing.patience_ms,
        onWaiting: progressNotifier(hearing, waitInWords),
        onProgress: progressNotifier(hearing, draftInWords),
      });
      if (told.signal !== null) hearing.tell(told.signal);
      return resultOf(tool, told, opened);
    } finally {
      workspace.close();
    }
  } catch (error) {
    return resultOfError(error, (text) => void process.stderr.write(text));
  }
}
