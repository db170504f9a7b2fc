/** Names that guard's hooks and guard's MCP server share. */

/** The server's keys as they stand in tool names: of `guard init --mcp`, and of guard as a plugin. */
export const OWN_SERVERS: readonly string[] = ['guard', 'plugin_guard_guard'];

export const LOCK_TOOLS = [
  'lock_try',
  'lock_wait',
  'lock_release',
  'lock_status',
  'lock_release_all',
] as const;
export type LockTool = (typeof LOCK_TOOLS)[number];

/** Filled in by the hook, whatever the model wrote there: who calls, and where relative paths begin. */
export const RESERVED = { agent: '_agent', cwd: '_cwd' } as const;

export interface LockCall {
  readonly server: string;
  readonly tool: LockTool;
}

/** Null for the name of any other tool. */
export function lockCallOf(name: string): LockCall | null {
  const [, server = '', tool = ''] = /^mcp__(.+?)__(lock_\w+)$/.exec(name) ?? [];
  return isLockTool(tool) ? { server, tool } : null;
}

const isLockTool = (tool: string): tool is LockTool => (LOCK_TOOLS as readonly string[]).includes(tool);
