/** The calls that a server is processing: they end with it. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

export interface OpenCalls {
  /** @param own aborted when the client cancels this call */
  run<T>(own: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Serves until stdin ends or `signal` is aborted; calls then end and are recorded before it returns. */
  serve(server: McpServer, transport: Transport, signal: AbortSignal): Promise<void>;
}

export function trackCalls(): OpenCalls {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    run(own, call) {
      const run = call(AbortSignal.any([own, closing.signal]));
      running.add(run);
      return run.finally(() => running.delete(run));
    },
    async serve(server, transport, signal) {
      await server.connect(transport);
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
