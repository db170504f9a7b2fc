/** Really runs a command in the repository, between its hooks, as the client does. */
import { spawnSync } from 'node:child_process';
import type { Answer, Session, ToolCall } from '../driver.ts';

export interface Ran {
  readonly pre: Answer;
  /** Null if it was denied. */
  readonly post: Answer | null;
  readonly call: ToolCall;
}

/** PreToolUse, the command unless it is denied, PostToolUse or PostToolUseFailure. */
export function sh(agent: Session, command: string, meanwhile: () => void = () => undefined): Ran {
  const call = agent.call('Bash', { command });
  const pre = agent.pre(call);
  if (pre.exit === 2) return { pre, post: null, call };
  const { status, stdout, stderr } = runIn(agent, command);
  meanwhile();
  const post =
    status === 0
      ? agent.post(call, { stdout, stderr, interrupted: false, isImage: false })
      : agent.failed(call, `Exit code ${String(status)}\n${stdout}${stderr}`);
  return { pre, post, call };
}

export const runIn = (agent: Session, command: string) =>
  spawnSync('bash', ['-c', command], { cwd: agent.cwd, encoding: 'utf8' });

/** Hides the line from every parser, so that only its effect on disk is noticed. */
export const hidden = (line: string): string =>
  `printf '%s' '${Buffer.from(line).toString('base64')}' | base64 -d | sh`;
