/** What every server of guard's does with its calls: they end with it, and what guard refuses is an answer. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { isGuardError } from '../core/error.ts';

export interface Calls {
  /** @param own aborted when the client cancels this call */
  run<T>(own: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Serves until stdin ends or `signal` is aborted; then calls end and are put on record before it returns. */
  serve(server: McpServer, signal: AbortSignal): Promise<void>;
}

export function openCalls(): Calls {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    run(own, call) {
      const run = call(AbortSignal.any([own, closing.signal]));
      running.add(run);
      return run.finally(() => running.delete(run));
    },
    async serve(server, signal) {
      await server.connect(new StdioServerTransport());
      await over(signal);
      closing.abort();
      await Promise.allSettled(running);
      await server.close();
    },
  };
}

function over(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    process.stdin.once('end', end).once('close', end);
    signal.addEventListener('abort', end, { once: true });
  });
}

export const text = (value: object, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  ...(isError ? { isError } : {}),
});

/** guard's own errors are told; any other is the server's. */
export async function answered(call: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await call();
  } catch (error) {
    if (!isGuardError(error)) throw error;
    const { code, message, hint } = error;
    return text({ error: { code, message, hint } }, true);
  }
}
