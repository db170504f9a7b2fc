/** Names that guard's hooks and guard's harness server share, and who may call what. */
import type { Access } from './drafts.ts';

/** The key under which a client knows the server of these tools. */
export const HARNESS_SERVER = 'guard-harness';
/** The same as it stands in tool names: as registered, and brought by guard's plugin. */
export const HARNESS_SERVERS: readonly string[] = [HARNESS_SERVER, `plugin_guard_${HARNESS_SERVER}`];

export const HARNESS_TOOLS = [
  'draft_agent',
  'await_agent',
  'kill_agent',
  'list_agents',
  'list_tasks',
  'get_task_context',
] as const;
export type HarnessTool = (typeof HARNESS_TOOLS)[number];

/** Only looking is for everybody. */
export const GATED_TOOLS = ['draft_agent', 'await_agent', 'kill_agent'] as const satisfies HarnessTool[];
const GATED: ReadonlySet<string> = new Set(GATED_TOOLS);

export const toolsFor = (access: Access): readonly HarnessTool[] =>
  HARNESS_TOOLS.filter((tool) => access === 'full' || !GATED.has(tool));

export const accessOf = (category: string, full: readonly string[]): Access =>
  full.includes(category) ? 'full' : 'readonly';

/** The gated tool that a full tool name means, on whatever server. */
export function gatedTool(name: string): string | null {
  const [, tool = ''] = /^mcp__.+__(\w+_agent)$/.exec(name) ?? [];
  return GATED.has(tool) ? tool : null;
}
