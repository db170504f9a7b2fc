/**
 * PreToolUse and PostToolUse of Bash: identity of subagents, background commands, redirections to what is protected.
 * Nothing else of a command is judged.
 */
import { asFields, asText, textField } from '../input.ts';
import { context, rewriteInput, SILENT } from '../output.ts';
import type { HookOutput } from '../output.ts';
import type { AgentId } from '../../core/types.ts';
import type { Scene } from '../scene.ts';
import { hostOf } from '../hosts/host.ts';
import { injectAgent } from '../shell/inject.ts';
import { marked } from '../shell/mark.ts';
import { judgeRedirects } from '../shell/redirects.ts';
import { noteAlive } from './alive.ts';
import { beginCall, endCall } from './open-call.ts';
import { noticeChanges, wordsFor } from './watched.ts';

/** An exclusive call: a write of this agent that is still open was never carried out. */
export function preBash(scene: Scene): HookOutput {
  const { home, who, input } = scene;
  const agent = home.agent();
  if (!beginCall(scene)) {
    if (agent?.op) home.run({ type: 'op.end', who, ops: null });
    else noteAlive(scene);
  }
  const line = asText(input.tool_input['command']);
  const refused = WRITES.test(line) ? judgeRedirects(scene) : null;
  if (refused !== null) return refused;
  const isShared = who.parent !== null || agent?.has_subagents === true;
  const command = input.host === 'claude' ? markedLine(scene, line, isShared) : namedLine(line, who.id);
  return command === null ? SILENT : rewriteInput({ ...input.tool_input, command });
}

/** More than `2>&1` and `> /dev/null`. */
const WRITES = />(?!&\d|>?\s*\/dev\/)|\btee\b/;

/** Alone in its session, a command says by itself whose it is; up to 2.1.100 it does not know its session. */
function markedLine({ who, env }: Scene, line: string, is_shared: boolean): string | null {
  if (!is_shared && !line.includes('guard')) return null;
  const session = env['CLAUDE_CODE_SESSION_ID'];
  // Started by another client, whose variables its commands have too: its own do not count there.
  const isInner = session !== undefined && hostOf(env, {}) !== 'claude';
  if (!is_shared && session !== undefined && !isInner) return null;
  return marked(line, who.id, isInner ? { ...env, CLAUDE_CODE_SESSION_ID: undefined } : env);
}

/** Other hosts may keep one shell for all lines, so a mark would not be found: the calls that can be seen get `--agent`. */
const namedLine = (line: string, agent: AgentId): string | null =>
  line.includes('guard') ? injectAgent(line, agent) : null;

export function postBash(scene: Scene): HookOutput {
  const { home, who, input } = scene;
  const task = textField(asFields(input.tool_response), 'backgroundTaskId');
  if (task !== '') home.run({ type: 'background', who, started: [task], finished: [] });
  endCall(scene);
  return context('PostToolUse', [wordsFor(noticeChanges(scene))]);
}
