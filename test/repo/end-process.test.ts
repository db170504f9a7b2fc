import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGE, scratchDir } from '../install/scratch.ts';

/** A hook event of a directory that nobody guards: answered with nothing. */
const EVENT = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'WebFetch', cwd: '/' });

function ended(options: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...options, join(PACKAGE, 'dist/hook.cjs'), 'guard'],
    { encoding: 'utf8', input: EVENT, env: { PATH: process.env['PATH'], ...env } },
  );
  return { status, stdout, stderr };
}

function handled(): string {
  const file = join(scratchDir('guard-end-'), 'handled.cjs');
  writeFileSync(file, `process.on('exit', () => require('node:fs').writeSync(2, 'handled'));`);
  return file;
}

describe('a hook that has answered', () => {
  it('ends with its status and an empty answer', () => {
    expect(ended([])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('ends as Node does where something waits for that: a handler, given as an option or in the environment', () => {
    expect(ended(['-r', handled()])).toMatchObject({ status: 0, stderr: 'handled' });
    expect(ended([], { NODE_OPTIONS: `-r ${handled()}` })).toMatchObject({ status: 0, stderr: 'handled' });
  });
});
