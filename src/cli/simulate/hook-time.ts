/** What one hook process costs on this machine now: the median of several, started as the client starts them. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { GuardError } from '../../core/error.ts';
import { guardRoot } from '../../install/guard-root.ts';
import { monotonicUs } from '../../repo/clock.ts';
import type { Shell } from '../shell.ts';

const RUNS = 7;
const TIMEOUT_MS = 60_000;

/** The event of `guard doctor`: checked to its end, but not recorded (claude/hook.ts). */
const EVENT = {
  hook_event_name: 'PreToolUse',
  session_id: 'guard-doctor',
  tool_name: 'Write',
  tool_use_id: 'toolu_guard_simulate',
};

export function hookTime_ms({ cwd, env }: Pick<Shell, 'cwd' | 'env'>): number {
  const hook = join(guardRoot(), 'hooks', 'guard-hook.cjs');
  const tool_input = { file_path: join(cwd, 'guard-simulate-asks.txt'), content: '' };
  const input = JSON.stringify({ ...EVENT, cwd, tool_input });
  const own = { CLAUDE_CODE_SESSION_ID: '', CLAUDE_SESSION_ID: '', CLAUDE_PROJECT_DIR: cwd };
  const times = Array.from({ length: RUNS }, () => {
    const started_us = monotonicUs();
    const { status, error } = spawnSync(process.execPath, [hook], {
      ...{ cwd, input, timeout: TIMEOUT_MS, stdio: ['pipe', 'ignore', 'ignore'] },
      env: { ...env, ...own },
    });
    if (error !== undefined || status === null)
      throw new GuardError('GUARD_ERR_IO', `${hook} did not run.`, 'See: guard doctor', { hook }, error);
    return (monotonicUs() - started_us) / 1000;
  });
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0);
}
