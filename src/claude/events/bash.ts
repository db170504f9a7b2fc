// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * PreToolUse, PostToolUse and PostToolUseFailure of Bash and PowerShell. Before: checks the line and notes the state of the disk. After: finds
 * what it changed, what it showed, and what is still running. A subagent's line is marked with its name.
 */
import { withContext } from '../output-added.ts';
import { asFields, asText, textField } from '../input.ts';
import { everyStep } from '../../core/every-step.ts';
import { context, type HookOutput, rewriteInput, SILENT } from '../output.ts';
import type { AgentId } from '../../core/types.ts';
import { neighboursAfter } from '../beside/look.ts';
import type { Hook } from '../context.ts';
import { hostOf } from '../hosts/host.ts';
import { commandOf } from '../commands/command.ts';
import { needsFence } from '../commands/fence-required.ts';
import { tendFence } from '../commands/fence-tend.ts';
import { fenceNotes } from '../commands/fenced.ts';
import { checkPush } from '../commands/push-checked.ts';
import { noteCommandEnd } from '../commands/ended.ts';
import { judgeCommand } from '../commands/judge.ts';
import { closeWindow, lookBefore, openWindow } from '../commands/window.ts';
import { injectAgent } from '../shell/inject.ts';
import { marked } from '../shell/mark.ts';
import { beginExclusive, endCall } from './open-call.ts';
import { noticeChanges, wordsFor } from './watched.ts';

/** Its line is not parsed; its changes are noticed afterwards. */
export function prePowerShell(hook: Hook): HookOutput {
  beginExclusive(hook);
  const command = commandOf(hook);
  const refused = lookBefore(hook, command);
  if (refused !== null) return refused;
  openWindow(hook, command);
  return SILENT;
}

export function preBash(hook: Hook): HookOutput {
  const { home, who, input } = hook;
  const agent = home.agent();
  beginExclusive(hook);
  const command = commandOf(hook);
  const warned = lookBefore(hook, command);
  if (warned !== null) return warned;
  const held_back =
    home.store.supports.shared || (agent?.revoked ?? home.named?.hasTold?.('revoked.told'))
      ? checkPush(hook, agent, command)
      : null;
  if (held_back !== null) return held_back;
  const { refused: denied, notes, is_asked } = judgeCommand(hook, command);
  const refused = denied ?? (home.config.fence === 'required' ? needsFence(hook, command) : null);
  if (refused !== null) return refused;
  openWindow(hook, command);
  tendFence(hook);
  const line = asText(input.tool_input['command']);
  const isShared = who.parent !== null || agent?.has_subagents === true;
  const named = input.host === 'claude' ? markedLine(hook, line, isShared) : namedLine(line, who.id);
  const output = named === null ? SILENT : rewriteInput({ ...input.tool_input, command: named });
  const note = notes.filter((one) => one !== '').join('\n\n');
  const told = note === '' ? output : withContext('PreToolUse', output, note);
  return is_asked ? { ...told, is_typical: true } : told;
}

/** A command that is alone in its session needs no mark to be attributed; up to 2.1.100 it does not know its session. */
function markedLine({ who, env }: Hook, line: string, is_shared: boolean): string | null {
  if (!is_shared && !line.includes('guard')) return null;
  const session = env['CLAUDE_CODE_SESSION_ID'];
  // Started by another client, whose variables its commands inherit; its own do not count there.
  const isInner = session !== undefined && hostOf(env, {}) !== 'claude';
  if (!is_shared && session !== undefined && !isInner) return null;
  return marked(line, who.id, isInner ? { ...env, CLAUDE_CODE_SESSION_ID: undefined } : env);
}

/** Other hosts may keep one shell for all lines, where a mark would not be found: visible calls of guard get `--agent` instead. */
const namedLine = (line: string, agent: AgentId): string | null =>
  line.includes('guard') ? injectAgent(line, agent) : null;

export function postBash(hook: Hook): HookOutput {
  const { home, who, input } = hook;
  const task = textField(asFields(input.tool_response), 'backgroundTaskId');
  const op = input.tool_use_id;
  const notes: string[] = [];
  everyStep(
    () => task !== '' && home.run({ type: 'background', who, started: [task], finished: [], op }),
    () => endCall(hook),
    () => notes.push(...afterCommand(hook)),
    () => notes.push(wordsFor(noticeChanges(hook, home.named?.note))),
  );
  return context('PostToolUse', notes);
}

/** A failed command may have written and shown as much as any other. */
export const failedBash = (hook: Hook): HookOutput =>
  context('PostToolUseFailure', [
    ...afterCommand(hook),
    wordsFor(noticeChanges(hook, hook.home.named?.note)),
  ]);

function afterCommand(hook: Hook): readonly string[] {
  const command = commandOf(hook);
  const notes: string[] = [];
  everyStep(
    () => {
      const rest = neighboursAfter(hook);
      notes.push(...closeWindow(hook, command), ...fenceNotes(hook, command), rest.join('\n'));
    },
    () => noteCommandEnd(hook, command.line),
    () => tendFence(hook),
  );
  return notes;
}
