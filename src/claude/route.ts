/** Which event goes where: a table, so that everything guard listens to can be read in one place. */
import { batchEnd } from './events/batch.ts';
import { postBash, preBash, prePowerShell } from './events/bash.ts';
import { configChange } from './events/config-change.ts';
import { agentDone, sessionEnd, sessionStart, subagentStart, userPrompt } from './events/lifecycle.ts';
import { postLock, preLock } from './events/lock-tools.ts';
import { foreignWrite, isPatch } from './hosts/foreign-write.ts';
import { heldByOthers } from './mcp/held.ts';
import { endCall, permissionAsked, preAgent } from './events/open-call.ts';
import { oversizedEnd, oversizedWrite } from './events/oversized.ts';
import { failedTool } from './events/failed-tool.ts';
import { postRead } from './events/read.ts';
import { stop, subagentStop } from './events/turn-end.ts';
import { postWrite } from './events/write-post.ts';
import { preWrite } from './events/write-pre.ts';
import { type HookOutput, SILENT } from './output.ts';
import type { HookEnvironment, Hook } from './context.ts';
import { concernsNobody, readerPaths, writerPaths } from './tools.ts';
import type { HookInput } from './hook-input.ts';

export interface Route {
  /** True if the event cannot concern guard; asked before anything is opened. */
  readonly passes?: (input: HookInput) => boolean;
  readonly run: (hook: Hook) => HookOutput;
  /** Replaces `run` if no ledger and no configuration are needed. */
  readonly alone?: (input: HookInput, around: HookEnvironment) => HookOutput;
}

const always = (run: Route['run']): Route => ({ run });
const needsNothing = (alone: NonNullable<Route['alone']>): Route => ({ alone, run: () => SILENT });

export const EVENT_ROUTES: Readonly<Record<string, Route>> = {
  SessionStart: always(sessionStart),
  UserPromptSubmit: always(userPrompt),
  PreToolUse: { passes: concernsNobody, run: preTool },
  PostToolUse: { passes: concernsNobody, run: postTool },
  PostToolUseFailure: { passes: concernsNobody, run: failedTool },
  PermissionRequest: always(permissionAsked),
  PostToolBatch: always(batchEnd),
  SubagentStart: always(subagentStart),
  SubagentStop: always(subagentStop),
  Stop: always(stop),
  StopFailure: always(stop),
  SessionEnd: always(sessionEnd),
  ConfigChange: needsNothing(configChange),
};

/** How events too large to be parsed are handled. All others pass with a notice; PreToolUse is denied. */
export const OVERSIZED: Readonly<Record<string, Route>> = {
  PostToolUse: { passes: concernsNobody, run: oversizedWrite },
  PostToolUseFailure: { passes: concernsNobody, run: oversizedEnd },
  PostToolBatch: always(oversizedEnd),
  UserPromptSubmit: always(userPrompt),
};

function preTool(hook: Hook): HookOutput {
  const { input, home } = hook;
  if (input.tool === 'PowerShell') return prePowerShell(hook);
  if (input.tool === 'Bash')
    return input.host !== 'claude' && isPatch(input) ? foreignWrite(hook) : preBash(hook);
  if (SUBAGENT_TOOLS.has(input.tool)) return preAgent(hook);
  const locks = mayBeOwn(input.tool) ? preLock(hook) : null;
  if (locks !== null) return locks;
  // A call without a tool name may be a write.
  const paths = input.tool === '' ? [] : writerPaths(input, home.config.mcp);
  if (paths !== null) return preWrite(hook, paths);
  if (!input.tool.startsWith('mcp__')) return foreignWrite(hook);
  const held = heldByOthers(hook);
  // Checked like a write, so that the denial has every step and is recorded.
  return held.length === 0 ? SILENT : preWrite(hook, held);
}

/** Prefixes of the names of guard's own tools; only a match is examined further. */
export const OWN_TOOL =
  /^mcp__.+__(?:lock|re[lqs]\w+|check|my|send|fetch|list|negotiate|draft|await|kill|message)_/;

const mayBeOwn = (tool: string): boolean => tool.startsWith('mcp__') && OWN_TOOL.test(tool);

const SUBAGENT_TOOLS = new Set(['Agent', 'Task']);

function postTool(hook: Hook): HookOutput {
  const { input, home } = hook;
  if (input.tool === 'Bash' || input.tool === 'PowerShell') return postBash(hook);
  if (SUBAGENT_TOOLS.has(input.tool)) return agentDone(hook);
  if (input.tool.endsWith('__await_agent')) endCall(hook);
  const locks = mayBeOwn(input.tool) ? postLock(hook) : null;
  if (locks !== null) return locks;
  const written = writerPaths(input, home.config.mcp);
  if (written !== null) return postWrite(hook, written);
  const read = readerPaths(input, home.config.mcp);
  return read === null ? SILENT : postRead(hook, read);
}
