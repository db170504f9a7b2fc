/** Agents that only use Bash: PreToolUse in this process, the line really run, PostToolUse. */
import { spawnSync } from 'node:child_process';
import type { Answer } from '../driver/answer.ts';
import { hookHere, preHere } from '../driver/in-process.ts';
import { fieldsOf, type Session, type ToolCall } from '../driver/session.ts';
import { wrongs } from '../driver.ts';

export interface Ran {
  readonly pre: Answer;
  /** Null if the line was denied. */
  readonly post: Answer | null;
  readonly call: ToolCall;
}

export const post = (agent: Session, call: ToolCall, response: object = { stdout: '', stderr: '' }): Answer =>
  hookHere(
    agent.scratch,
    JSON.stringify(agent.payload('PostToolUse', { ...fieldsOf(call), tool_response: response })),
    agent.env,
  );

/** PreToolUse only. */
export const begin = (
  agent: Session,
  command: string,
  more: object = {},
): { pre: Answer; call: ToolCall } => {
  const call = agent.call('Bash', { command, ...more });
  return { pre: preHere(agent, call), call };
};

export function run(agent: Session, command: string): Ran {
  const { pre, call } = begin(agent, command);
  if (pre.exit !== 0) return { pre, post: null, call };
  spawnSync('/bin/bash', ['-c', command], { cwd: agent.scratch.root, env: agent.scratch.env });
  return { pre, post: post(agent, call), call };
}

/** What is wrong with a line; empty if it passes, in which case the call ends immediately. */
export function wrongsOf(agent: Session, command: string): readonly string[] {
  const { pre, call } = begin(agent, command);
  const found = wrongs(pre);
  if (found.length === 0) post(agent, call);
  return found;
}
