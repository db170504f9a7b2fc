// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The paths that a call of an MCP tool names: by the configuration's rows, or else by the built-in ones. */
import type { HookInput } from '../hook-input.ts';
import type { McpTools } from './mcp-tools.ts';
import { knownPaths } from './known.ts';
import { valuesAt } from './places.ts';

/** The paths as given; null if it is not such a tool. */
export function mcpPaths(input: HookInput, mcp: McpTools, kind: keyof McpTools): string[] | null {
  // All matching entries apply together: one file's broad pattern must not hide another's exact name.
  const configured = mcp[kind].filter((entry) => matches(entry.tool, input.tool));
  if (configured.length === 0) return isOverruled(input.tool, mcp, kind) ? null : knownPaths(input, kind);
  const places = new Set(configured.flatMap((entry) => entry.paths));
  return [...places].flatMap((place) => valuesAt(input.tool_input, place.split('.')));
}

/** A repository cannot remove a built-in writer; the user can. */
const isOverruled = (tool: string, mcp: McpTools, kind: keyof McpTools): boolean =>
  kind === 'readers'
    ? isConfigured(tool, mcp)
    : mcp.readers.some((entry) => entry.own === true && matches(entry.tool, tool));

export const isConfigured = (tool: string, { writers, readers }: McpTools): boolean =>
  [...writers, ...readers].some((entry) => matches(entry.tool, tool));

function matches(pattern: string, tool: string): boolean {
  return pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}
