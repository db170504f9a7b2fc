// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The paths that a call of an MCP tool is about: by the configuration's rows, else by the built-in ones. */
import type { HookInput } from '../hook-input.ts';
import type { McpTools } from './mcp-tools.ts';
import { knownPaths } from './known.ts';
import { valuesAt } from './places.ts';

/** As given; null: no such tool. */
export function mcpPaths(input: HookInput, mcp: McpTools, kind: keyof McpTools): string[] | null {
  // All entries that match count together: one file's broad pattern must not hide another's exact name.
  const configured = mcp[kind].filter((entry) => matches(entry.tool, input.tool));
  if (configured.length === 0) return isOverruled(input.tool, mcp, kind) ? null : knownPaths(input, kind);
  const places = new Set(configured.flatMap((entry) => entry.paths));
  return [...places].flatMap((place) => valuesAt(input.tool_input, place.split('.')));
}

/** A repository cannot take a built-in writer away; the user can. */
const isOverruled = (tool: string, mcp: McpTools, kind: keyof McpTools): boolean =>
  kind === 'readers'
    ? isConfigured(tool, mcp)
    : mcp.readers.some((entry) => entry.own === true && matches(entry.tool, tool));

export const isConfigured = (tool: string, { writers, readers }: McpTools): boolean =>
  [...writers, ...readers].some((entry) => matches(entry.tool, tool));

function matches(pattern: string, tool: string): boolean {
  return pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}
