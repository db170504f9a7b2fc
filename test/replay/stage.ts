/** One recording, written to its own file and replayed against the stub guard. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { replayFile, type ReplayOptions, type Report } from '../../src/replay/replay.ts';
import { makeStubGuard, type StubGuard } from './stub-guard.ts';

export interface Stage {
  readonly dir: string;
  readonly guard: StubGuard;
  readonly options: ReplayOptions;
  play(lines: readonly object[], options?: Partial<ReplayOptions>): Promise<Report>;
}

function makeStage(): Stage {
  const dir = mkdtempSync(join(tmpdir(), 'replay-test-'));
  const guard = makeStubGuard();
  const options = { root: guard.root, update: false, ci: false };
  return {
    dir,
    guard,
    options,
    play(lines, more = {}) {
      const file = join(dir, 'session.jsonl');
      writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
      return replayFile(file, { ...options, ...more });
    },
  };
}

/** A new stage for each test in the file. */
export function stages(): () => Stage {
  let stage: Stage | undefined;
  beforeEach(() => {
    stage = makeStage();
  });
  afterEach(() => {
    for (const path of [stage?.dir, stage?.guard.root])
      if (path !== undefined) rmSync(path, { recursive: true, force: true });
  });
  return () => {
    if (!stage) throw new Error('no test is running');
    return stage;
  };
}

export const event = (name: string, fields: object = {}, env: object = {}): object => ({
  stdin: { hook_event_name: name, cwd: '/repo', ...fields },
  env,
});

/** PreToolUse and PostToolUse of an Edit of a file that contains the line `one`. */
export const edit = (file: string, id = 'e'): object[] => {
  const tool_input = { file_path: file, old_string: 'one', new_string: 'ONE' };
  const call = { tool_name: 'Edit', tool_use_id: id, tool_input };
  const tool_response = { oldString: 'one', newString: 'ONE', originalFile: 'one\n' };
  return [event('PreToolUse', call), event('PostToolUse', { ...call, tool_response })];
};
