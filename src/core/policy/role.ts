/**
 * What a drafted agent's role lets it do with other agents. The one place that decides this, for the server that does
 * not offer a tool, the hook that denies its call, the commands that refuse it, and the rule that records it
 * (docs/decisions/062).
 */
import type { Denial } from '../denial.ts';
import type { Access, DraftState } from '../drafts.ts';
import { HARNESS_TOOLS, type HarnessTool } from '../harness-tools.ts';

/** Every agent may use the other tools, which only look. */
export const GATED_TOOLS = [
  'draft_agent',
  'await_agent',
  'kill_agent',
  'message_agent',
] as const satisfies HarnessTool[];
const GATED: ReadonlySet<string> = new Set(GATED_TOOLS);

export const accessOf = (category: string, full: readonly string[]): Access =>
  full.includes(category) ? 'full' : 'readonly';

/** The access of what runs below a drafted agent; a person's session was not drafted. */
export const accessBelow = (drafted: Pick<DraftState, 'access'> | null): Access => drafted?.access ?? 'full';

export const mayDraft = (access: Access | null): boolean => access === 'full';

export const toolsFor = (access: Access): readonly HarnessTool[] =>
  HARNESS_TOOLS.filter((tool) => access === 'full' || !GATED.has(tool));

/** The gated tool that a full tool name refers to, on any server. */
export function gatedTool(name: string): string | null {
  const [, tool = ''] = /^mcp__.+__(\w+_agent)$/.exec(name) ?? [];
  return GATED.has(tool) ? tool : null;
}

/** @param drafted the drafted agent in whose session the call is made; `null` if none, so that there is no role */
export const mayOnlyLook = (drafted: Pick<DraftState, 'access'> | null | undefined): boolean =>
  drafted?.access === 'readonly';

const NEXT = 'Say in your final answer what should be done; your drafter may do it.';

/** The message and the next step that a command gives to an agent that may only look. */
export const roleRefusal = (
  doing: 'draft' | 'await' | 'end' | 'merge' | 'message',
): readonly [message: string, hint: string] => [`Agents of your role may not ${doing} agents.`, NEXT];

/** The same, as the denial of a tool call. */
export const notPermitted = (
  tool: string,
  { role, category }: Pick<DraftState, 'role' | 'category'>,
): Denial => ({
  error_type: 'NOT_PERMITTED',
  message: `Agents of role ${role} (${category}) may not call ${tool}.`,
  details: { tool, role, category, next: [NEXT] },
  recovery_hint: 'Continue without it.',
});
