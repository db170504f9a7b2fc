/** PreToolUse and PostToolUse of Bash: identity of subagents, background commands. Judging commands is not done here. */
import { asFields, asText, textField } from '../input.ts';
import { rewriteInput, SILENT } from '../output.ts';
import type { HookOutput } from '../output.ts';
import type { Scene } from '../scene.ts';
import { marked } from '../shell/mark.ts';
import { noteAlive } from './alive.ts';

/** An exclusive call: a write of this agent that is still open was never carried out. */
export function preBash(scene: Scene): HookOutput {
  const { home, who, input, env } = scene;
  const agent = home.agent();
  if (agent?.op) home.run({ type: 'op.end', who, ops: null });
  else noteAlive(scene);
  // Alone in its session, and told which one that is, a command says by itself whose it is.
  const isClear = who.parent === null && !agent?.has_subagents && env['CLAUDE_CODE_SESSION_ID'] !== undefined;
  const command = isClear ? null : marked(asText(input.tool_input['command']), who.id, env);
  return command === null ? SILENT : rewriteInput({ ...input.tool_input, command });
}

export function postBash(scene: Scene): HookOutput {
  const { home, who, input } = scene;
  const task = textField(asFields(input.tool_response), 'backgroundTaskId');
  if (task === '') noteAlive(scene);
  else home.run({ type: 'background', who, started: [task], finished: [] });
  return SILENT;
}
