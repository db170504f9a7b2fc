/** Names shared by guard's hooks and guard's MCP server. */

/** The server's keys as they appear in tool names: from `guard init --mcp`, and from guard as a plugin. */
export const OWN_SERVERS: readonly string[] = ['guard', 'plugin_guard_guard'];

export const LOCK_TOOLS = [
  'lock_try',
  'lock_wait',
  'lock_release',
  'lock_status',
  'lock_release_all',
] as const;
export type LockTool = (typeof LOCK_TOOLS)[number];

/** The tools for reservations, messages and negotiation. */
export const COORDINATION_NAMES = [
  'reserve_files',
  'release_files',
  'release_all',
  'check_conflicts',
  'my_reservations',
  'send_message',
  'fetch_inbox',
  'list_agents',
  'request_release',
  'negotiate_release',
  'respond_to_release',
] as const;

/** The client's name for another tool of the same server: `mcp__guard__lock_try` -> `mcp__guard__lock_wait`. */
export const sibling = (lock_try: string, tool: LockTool | (typeof COORDINATION_NAMES)[number]): string =>
  lock_try.replace(/lock_try$/, tool);

/** The server if `name` is one of them; `null` for any other tool. */
export function coordinationServer(name: string): string | null {
  const [, server, tool = ''] = /^mcp__(.+?)__(\w+)$/.exec(name) ?? [];
  return server !== undefined && (COORDINATION_NAMES as readonly string[]).includes(tool) ? server : null;
}

/** The hook overwrites these, whatever the model wrote: the caller, and the base directory of relative paths. */
export const RESERVED = { agent: '_agent', cwd: '_cwd' } as const;

export interface LockCall {
  readonly server: string;
  readonly tool: LockTool;
}

/** `null` for the name of any other tool. */
export function lockCallOf(name: string): LockCall | null {
  const [, server = '', tool = ''] = /^mcp__(.+?)__(lock_\w+)$/.exec(name) ?? [];
  return isLockTool(tool) ? { server, tool } : null;
}

const isLockTool = (tool: string): tool is LockTool => (LOCK_TOOLS as readonly string[]).includes(tool);
