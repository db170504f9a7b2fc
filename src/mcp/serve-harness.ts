/**
 * The harness tools over stdio. Which of them are served depends on the caller's access; drafted agents live on when
 * the server ends.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Access, DraftState } from '../core/drafts.ts';
import { HARNESS_SERVER } from '../core/harness-tools.ts';
import { toolsFor } from '../core/policy/role.ts';
import type { HarnessTool } from '../core/harness-tools.ts';
import { RESERVED } from '../core/lock-tools.ts';
import { answered, openCalls, text } from './calls.ts';
import { progressOf } from './progress.ts';
import { HARNESS_ROWS } from './harness-tools.ts';
import type { HarnessCall, HarnessToolRow } from './harness-tools.ts';

/** @param agent as the hook filled it in. @throws GuardError GUARD_ERR_SPEAKER for a call that nobody vouches for */
export type OpenSite = (agent: string | undefined, tool: HarnessTool) => Pick<HarnessCall, 'site' | 'who'>;

export type ServeHarness = typeof serveHarness;

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const INSTRUCTIONS =
  'Other agents can work for you: draft_agent starts one and returns at once, await_agent waits for its result, kill_agent ends it. list_tasks and get_task_context say what was done before.';

/** Serves until stdin ends or `signal` is aborted. */
export async function serveHarness(
  open: OpenSite,
  access: Access,
  version: string,
  signal: AbortSignal,
): Promise<void> {
  const calls = openCalls();
  const served = toolsFor(access);
  const server = new McpServer({ name: HARNESS_SERVER, version }, { instructions: INSTRUCTIONS });
  for (const row of HARNESS_ROWS.filter(({ name }) => served.includes(name))) {
    const config = {
      title: row.title,
      description: row.description,
      inputSchema: row.input.shape,
      annotations: {
        readOnlyHint: row.is_read_only,
        destructiveHint: row.name === 'kill_agent',
        openWorldHint: false,
      },
    };
    server.registerTool(row.name, config, (input: unknown, extra: Extra) =>
      calls.run(extra.signal, (own) => answered(() => answer(row, input, open, own, extra))),
    );
  }
  await calls.serve(server, signal);
}

async function answer(
  row: HarnessToolRow,
  input: unknown,
  open: OpenSite,
  signal: AbortSignal,
  extra: Extra,
): Promise<CallToolResult> {
  const { site, who } = open((input as { readonly [RESERVED.agent]?: string })[RESERVED.agent], row.name);
  try {
    return text(await row.run(input, { site, who, signal, onProgress: progressOf(extra, inWords) }));
  } finally {
    site.close();
  }
}

const inWords = ({ id, status, usage }: DraftState): string => `${id}: ${status}, ${usage.turns} turns`;
