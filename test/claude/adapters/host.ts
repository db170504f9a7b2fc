/** Another client in a scratch repository: its events as hooks receive them, its writes as it makes them. */
import { answerOf, type Answer } from '../driver/answer.ts';
import { HOOK, runNow } from '../driver/process.ts';
import type { Scratch } from '../driver.ts';

/** The environment that a client inherits when Claude Code starts it. */
export const OUTER = {
  CLAUDECODE: '1',
  CLAUDE_PID: '1',
  CLAUDE_CODE_SESSION_ID: 'outer',
  GUARD_AGENT_ID: 'claude-outer',
};

export interface Asked {
  /** The event's name on the command line. */
  readonly name?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Sends one event to `guard hook --host`. */
export function told(at: Scratch, host: string, event: object | string, asked: Asked = {}): Answer {
  const { name, cwd = at.root, env = {} } = asked;
  const args = [HOOK, 'guard', '--host', host, ...(name === undefined ? [] : [name])];
  const stdin = typeof event === 'string' ? event : JSON.stringify(event);
  return answerOf(runNow({ args, cwd, env: { ...at.env, ...OUTER, ...env }, stdin }));
}
