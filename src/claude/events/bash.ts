/**
 * PreToolUse and PostToolUse of Bash: identity of subagents, background commands, redirections to what is protected.
 * Nothing else of a command is judged.
 */
import { asFields, asText, textField } from '../input.ts';
import { context, rewriteInput, SILENT } from '../output.ts';
import type { HookOutput } from '../output.ts';
import type { Scene } from '../scene.ts';
import { hostOf } from '../hosts/host.ts';
import { injectAgent } from '../shell/inject.ts';
import { judgeRedirects } from '../shell/redirects.ts';
import { noteAlive } from './alive.ts';
import { noticeChanges, wordsFor } from './watched.ts';

/** An exclusive call: a write of this agent that is still open was never carried out. */
export function preBash(scene: Scene): HookOutput {
  const { home, who, input } = scene;
  const open = home.agent()?.op;
  if (open !== undefined && open !== null) home.run({ type: 'op.end', who, ops: null });
  else noteAlive(scene);
  const command = asText(input.tool_input['command']);
  const refused = WRITES.test(command) ? judgeRedirects(scene) : null;
  if (refused !== null) return refused;
  if (!command.includes('guard') || !mustBeNamed(scene, command)) return SILENT;
  const named = injectAgent(command, who.id);
  return named === null ? SILENT : rewriteInput({ ...input.tool_input, command: named });
}

/** More than `2>&1` and `> /dev/null`. */
const WRITES = />(?!&\d|>?\s*\/dev\/)|\btee\b/;

/** A session's own commands say by themselves whose they are, from 2.1.200 on; everybody else's do not. */
function mustBeNamed({ who, input, env }: Scene, command: string): boolean {
  if (who.kind === 'subagent' || who.id !== `claude-${input.session}`) return true;
  if (env['CLAUDE_CODE_SESSION_ID'] === undefined || command.includes('--agent')) return true;
  // Started by another client, whose marks its commands have too.
  return hostOf(env, {}) !== 'claude';
}

export function postBash(scene: Scene): HookOutput {
  const { home, who, input } = scene;
  const task = textField(asFields(input.tool_response), 'backgroundTaskId');
  if (task === '') noteAlive(scene);
  else home.run({ type: 'background', who, started: [task], finished: [] });
  return context('PostToolUse', [wordsFor(noticeChanges(scene))]);
}
