/** Names that guard's hooks and guard's harness server share. */

/** The key under which a client knows the server of these tools. */
export const HARNESS_SERVER = 'guard-harness';
/** The same as it stands in tool names: as registered, and brought by guard's plugin. */
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
