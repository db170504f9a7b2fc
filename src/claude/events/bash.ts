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
  const line = asText(input.tool_input['command']);
  // Alone in its session, a command says by itself whose it is; up to 2.1.100 it does not know its session.
  const isSaid = env['CLAUDE_CODE_SESSION_ID'] !== undefined || !line.includes('guard');
  const command = who.parent === null && !agent?.has_subagents && isSaid ? null : marked(line, who.id, env);
  return command === null ? SILENT : rewriteInput({ ...input.tool_input, command });
}

export function postBash(scene: Scene): HookOutput {
  const { home, who, input } = scene;
  const task = textField(asFields(input.tool_response), 'backgroundTaskId');
  if (task === '') noteAlive(scene);
  else home.run({ type: 'background', who, started: [task], finished: [] });
  return SILENT;
}
