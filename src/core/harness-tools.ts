/** Names that guard's hooks and guard's harness server share, and who may call what. */
import type { Access } from './drafts.ts';

/** The key under which a client knows the server of these tools. */
export const HARNESS_SERVER = 'guard-harness';

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
const GATED: ReadonlySet<string> = new Set([
  'draft_agent',
  'await_agent',
  'kill_agent',
] satisfies HarnessTool[]);

export const toolsFor = (access: Access): readonly HarnessTool[] =>
  HARNESS_TOOLS.filter((tool) => access === 'full' || !GATED.has(tool));

export const accessOf = (category: string, full: readonly string[]): Access =>
  full.includes(category) ? 'full' : 'readonly';

/** The gated tool that a full tool name means, on whatever server. */
export function gatedTool(name: string): string | null {
  const [, tool = ''] = /^mcp__.+__(\w+_agent)$/.exec(name) ?? [];
  return GATED.has(tool) ? tool : null;
}
