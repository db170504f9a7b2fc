/** Puts the coordination tools on the server: an error as the tool's own text, a signal that never fails the operation. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Desk } from '../../coordination/desk.ts';
import { isGuardError } from '../../core/error.ts';
import { RESERVED } from '../../core/lock-tools.ts';
import type { From } from '../serve.ts';
import { MESSAGE_TOOLS } from './message-tools.ts';
import { NEGOTIATION_TOOLS } from './negotiation-tools.ts';
import { RESERVATION_TOOLS } from './reservation-tools.ts';
import { Refused } from './tool.ts';
import type { CoordinationTool, Signal } from './tool.ts';

export const COORDINATION_TOOLS: readonly CoordinationTool[] = [
  ...RESERVATION_TOOLS,
  ...MESSAGE_TOOLS,
  ...NEGOTIATION_TOOLS,
];

/** A ledger for one call. */
export interface OpenedDesk {
  readonly desk: Desk;
  close(): void;
}

export type OpenDesk = (from: From) => OpenedDesk;

/** @param run wraps every call, so that the server can end the waits among them */
export function registerCoordination(
  server: McpServer,
  open: OpenDesk,
  run: (
    signal: AbortSignal,
    call: (signal: AbortSignal) => Promise<CallToolResult>,
  ) => Promise<CallToolResult>,
): void {
  const tell = (signal: Signal): void => {
    const params = { level: 'info', logger: 'guard', data: signal } as const;
    server.server.sendLoggingMessage(params).catch(() => undefined);
  };
  for (const tool of COORDINATION_TOOLS) {
    const config = {
      title: tool.title,
      description: tool.description,
      inputSchema: tool.input.shape,
      annotations: { readOnlyHint: tool.is_read_only, destructiveHint: false, openWorldHint: false },
    };
    server.registerTool(tool.name, config, (input: unknown, extra) =>
      run(extra.signal, (signal) => answer(tool, input, open, signal, tell)),
    );
  }
}

async function answer(
  tool: CoordinationTool,
  input: unknown,
  open: OpenDesk,
  signal: AbortSignal,
  tell: (signal: Signal) => void,
): Promise<CallToolResult> {
  try {
    const given = input as Readonly<Record<string, string | undefined>>;
    const opened = open({ agent: given[RESERVED.agent], cwd: given[RESERVED.cwd], tool: tool.name });
    try {
      const told = await tool.run(input, opened.desk, signal);
      if (told.signal !== null) tell(told.signal);
      return says(JSON.stringify(told.answer), false);
    } finally {
      opened.close();
    }
  } catch (error) {
    if (error instanceof Refused) return says(error.message, true);
    if (isGuardError(error)) return says(`${error.code}: ${error.message} ${error.hint}`, true);
    throw error;
  }
}

const says = (text: string, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text }],
  ...(isError ? { isError } : {}),
});
