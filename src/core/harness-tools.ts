/** Names shared by guard's hooks and guard's harness server. */

/** The key under which a client registers the server of these tools. */
export const HARNESS_SERVER = 'guard-harness';
/** The same key as it appears in tool names: registered directly, and through guard's plugin. */
export const HARNESS_SERVERS: readonly string[] = [HARNESS_SERVER, `plugin_guard_${HARNESS_SERVER}`];

export const HARNESS_TOOLS = [
  'draft_agent',
  'await_agent',
  'kill_agent',
  'message_agent',
  'list_agents',
  'list_tasks',
  'get_task_context',
] as const;
export type HarnessTool = (typeof HARNESS_TOOLS)[number];
