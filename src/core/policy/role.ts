/**
 * What the role of a drafted agent lets it do with other agents: the one place that decides it, for the server that does not
 * offer a tool, the hook that denies its call, the commands that refuse it, and the rule that records it (docs/decisions/062).
 */
import type { Denial } from '../denial.ts';
import type { Access, DraftState } from '../drafts.ts';
import { HARNESS_TOOLS, type HarnessTool } from '../harness-tools.ts';

/** Only looking is for everybody. */
export const GATED_TOOLS = [
  'draft_agent',
  'await_agent',
  'kill_agent',
  'message_agent',
] as const satisfies HarnessTool[];
const GATED: ReadonlySet<string> = new Set(GATED_TOOLS);

export const accessOf = (category: string, full: readonly string[]): Access =>
  full.includes(category) ? 'full' : 'readonly';

/** Of what runs below a drafted agent; nobody drafted a person's session. */
export const accessBelow = (drafted: Pick<DraftState, 'access'> | null): Access => drafted?.access ?? 'full';

export const mayDraft = (access: Access | null): boolean => access === 'full';

export const toolsFor = (access: Access): readonly HarnessTool[] =>
  HARNESS_TOOLS.filter((tool) => access === 'full' || !GATED.has(tool));

/** The gated tool that a full tool name means, on whatever server. */
export function gatedTool(name: string): string | null {
  const [, tool = ''] = /^mcp__.+__(\w+_agent)$/.exec(name) ?? [];
  return GATED.has(tool) ? tool : null;
}

/** @param drafted the drafted agent in whose session it is asked; none: not drafted, so nobody gave it a role */
export const mayOnlyLook = (drafted: Pick<DraftState, 'access'> | null | undefined): boolean =>
  drafted?.access === 'readonly';

const NEXT = 'Say in your final answer what should be done; whoever drafted you may do it.';

/** What a command says to an agent that may only look: the message, and what to do. */
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
  recovery_hint: 'Go on without it.',
});
