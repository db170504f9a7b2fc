/** The code of the hook process, run in this process: for tables of many cases. */
import { runHook } from '../../../src/claude/hook.ts';
import { type Answer, answerOf } from './answer.ts';
import type { Scratch } from './scratch.ts';
import { fieldsOf, type Session, type ToolCall } from './session.ts';
import { answered } from './tick.ts';

export function hookHere(at: Scratch, text: string, env: Readonly<Record<string, string>> = {}): Answer {
  const around = { env: { ...at.env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: at.root, ...env }, cwd: at.root };
  const started = performance.now();
  const output = runHook({ text, whole: true, tail: '' }, around);
  answered();
  return answerOf({ ...output, took_ms: performance.now() - started });
}

/** PreToolUse for one call of this agent. */
export const preHere = (agent: Session, call: ToolCall): Answer =>
  hookHere(agent.scratch, JSON.stringify(agent.payload('PreToolUse', fieldsOf(call))), agent.env);
