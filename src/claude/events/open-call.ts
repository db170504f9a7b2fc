// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Tool calls that may last longer than an agent may be silent: recorded from PreToolUse until their end is reported
 * (decision 100). Most Bash calls end long before a silence would count, and are not recorded.
 */
import { gatedTool } from '../../core/policy/role.ts';
import { touchInterval } from '../../core/rules/agent.ts';
import type { AgentState, OpenCall } from '../../core/types.ts';
import { asText } from '../input.ts';
import type { HookInput } from '../hook-input.ts';
import { type HookOutput, SILENT } from '../output.ts';
import type { Hook } from '../context.ts';
import { noteAlive } from './alive.ts';
import { bashTimeout_ms, MARGIN_MS, positive } from './bash-time.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { ASKED, endOps } from './op-end.ts';

/** PreToolUse of Agent and Task. If the call returns immediately, so does its PostToolUse. */
export function preAgent(hook: Hook): HookOutput {
  if (!openCall(hook)) noteAlive(hook);
  return SILENT;
}

/** An exclusive call: if a write of this agent is still open, it was never carried out. */
export function beginExclusive(hook: Hook): void {
  const { home, who } = hook;
  if (openCall(hook)) return;
  if (home.agent()?.op) home.run({ type: 'op.end', who, ops: null });
  else noteAlive(hook);
}

/** False if the call needs no record or cannot have one; nothing was written in that case. */
export function openCall(hook: Hook): boolean {
  const { input, home, who, now } = hook;
  const { tool_use_id: id } = input;
  const lasts_ms = longest_ms(hook);
  if (lasts_ms === undefined || id.length > NAME_MAX || !/[^@]$/.test(id)) return false;
  if (lasts_ms !== null && isCovered(hook, home.agent(), lasts_ms)) return false;
  const until_mono_ms = lasts_ms === null ? null : now.mono_ms + Math.min(lasts_ms, DAY_MS) + MARGIN_MS;
  const call = { ...callOf(id, hook, until_mono_ms), ...spawned(input), ...awaited(input) };
  home.run({ type: 'call.begin', who, call });
  return true;
}

/** PermissionRequest: asks a person, who may be away. The answer shows at the end of the call or of its batch. */
export function permissionAsked(hook: Hook): HookOutput {
  const { input, home, who, now } = hook;
  const { tool } = input;
  const bash_ms = isShell(tool) ? Math.min(bashTimeout_ms(hook), DAY_MS) + MARGIN_MS : 0;
  const until_mono_ms = now.mono_ms + ASKED_MS + bash_ms;
  const call = callOf(askedId(input), hook, until_mono_ms);
  home.run({ type: 'call.begin', who, call, keeps_op: true });
  return SILENT;
}

const callOf = (id: string, { input, now }: Hook, until_mono_ms: number | null): OpenCall => ({
  id,
  tool: input.tool.slice(0, NAME_MAX),
  since_mono_ms: now.mono_ms,
  until_mono_ms,
});

/** PostToolUse, PostToolUseFailure: a sign of life, or the end of a recorded call. */
export const endCall = (hook: Hook): void => endOps(hook, [hook.input.tool_use_id, askedId(hook.input)], []);

const ASKED_MS = 600_000;

/** The longest wait of guard's own tools; no one waits for a call that asks for more. */
const DAY_MS = 86_400_000;

/** Longer ids and tool names than those of any client are not recorded. */
const NAME_MAX = 200;

/** The event does not say which call it is about. */
const askedId = ({ tool, tool_input }: HookInput): string =>
  `${ASKED}${tool.slice(0, NAME_MAX)}:${fingerprint(JSON.stringify(tool_input)).a.toString(36)}`;

/** The part of the minute that is left when the last sign of life covers the call. */
const COVERED_MS = 30_000;

/** Whether the last sign of life, or the one due now, outlasts the call. A lease with its own ttl may be shorter. */
function isCovered({ home, now, input }: Hook, agent: AgentState | undefined, lasts_ms: number): boolean {
  const facts = home.facts();
  const { policy } = facts;
  const silent_ms = now.mono_ms - (agent?.active_mono_ms ?? now.mono_ms);
  const is_due = agent?.boot !== now.boot || silent_ms >= touchInterval(facts);
  const left_ms = Math.min(policy.idle_ms, policy.ttl_ms, agent?.shortest_ttl_ms ?? Infinity);
  const line = asText(input.tool_input['command']);
  if (line.includes('guard') && line.includes('--ttl')) return false;
  return lasts_ms + COVERED_MS <= left_ms - (is_due ? 0 : silent_ms);
}

const isShell = (tool: string): boolean => tool === 'Bash' || tool === 'PowerShell';

/** Milliseconds; null: as long as another agent lives; undefined: it returns immediately, or its duration is unknown. */
function longest_ms(hook: Hook): number | null | undefined {
  const { input } = hook;
  const { tool, tool_input } = input;
  if (isShell(tool)) return tool_input['run_in_background'] === true ? undefined : bashTimeout_ms(hook);
  if (tool === 'Agent' || tool === 'Task' || gatedTool(tool) === 'await_agent') return null;
  if (tool.endsWith('__negotiate_release')) return seconds(tool_input['wait_seconds'], 0);
  if (!tool.endsWith('__lock_wait')) return undefined;
  const files = tool_input['filepaths'];
  return Math.max(1, Array.isArray(files) ? files.length : 1) * seconds(tool_input['timeout_seconds'], 30);
}

/** If the client itself moves the call to the background, PostToolUse reports it. */
const spawned = ({ tool_input: { run_in_background: asked } }: HookInput): Pick<OpenCall, 'is_background'> =>
  typeof asked === 'boolean' ? { is_background: asked } : {};

function awaited({ tool, tool_input }: HookInput): Pick<OpenCall, 'awaits'> {
  const id = gatedTool(tool) === 'await_agent' ? asText(tool_input['agentId']).slice(0, NAME_MAX) : '';
  return id === '' ? {} : { awaits: id };
}

const seconds = (given: unknown, usual: number): number => positive(given, usual) * 1000;
