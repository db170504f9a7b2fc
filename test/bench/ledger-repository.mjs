// A guarded repository with a ledger of a given length, a given number of live leases, and one agent that edits files.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { clientEnv, eventText, plainEnv } from './client-event.mjs';

const root = path.join(import.meta.dirname, '../..');
const guard = path.join(root, 'bin/guard.cjs');
const hook = path.join(root, 'dist/hook.cjs');
const NAME = 'ten.txt';

export function makeRepository(
  base,
  { records, leases, reserved = [0, String], parts, preset = 'standard' },
) {
  const [repo, home] = [path.join(base, 'repo'), path.join(base, 'home')];
  fs.mkdirSync(repo, { recursive: true });
  fs.mkdirSync(home);
  const env = clientEnv({ repo, home }, 'bench');
  const run = (...args) =>
    execFileSync(process.execPath, args, { cwd: repo, env: plainEnv({ home }), stdio: 'ignore' });
  execFileSync('git', ['init', '-q'], { cwd: repo });
  const file = path.join(repo, NAME);
  const content = `${'x'.repeat(99)}\n`.repeat(100);
  fs.writeFileSync(file, content);
  run(guard, 'init', '--scope', 'local', '--preset', preset);
  const state = path.join(repo, '.git/guard');
  parts.fill(state, records);
  parts.lease(state, leases);
  parts.reserve(state, ...reserved);

  const send = (cold, event) =>
    cold([hook], { cwd: repo, env, input: eventText({ repo, home }, 'bench', event) });
  const once = (args, options) => execFileSync(process.execPath, args, { ...options, stdio: 'pipe' });
  const shown = { filePath: file, content, numLines: 101, startLine: 1, totalLines: 101 };
  const tool_input = { file_path: file, old_string: 'x', new_string: 'x', replace_all: false };
  send(once, { hook_event_name: 'UserPromptSubmit', prompt: 'go' });
  send(once, {
    hook_event_name: 'PostToolUse',
    tool_name: 'Read',
    tool_input: { file_path: file },
    tool_response: { type: 'text', file: shown },
    tool_use_id: 'read',
  });
  run(guard, 'lock', 'try', NAME, '--agent', 'claude-bench');
  let calls = 0;
  return {
    state,
    home,
    cwd: repo,
    env,
    /** Milliseconds of `guard reserve`, always with the same glob. */
    reserve: (cold) =>
      cold([guard, 'reserve', 'mine/*', '--reason', 'bench', '--agent', 'claude-bench'], { cwd: repo, env }),
    /** Milliseconds of the PreToolUse; the PostToolUse that ends it is not timed. */
    edit(cold) {
      const call = { tool_name: 'Edit', tool_input, tool_use_id: `edit-${++calls}` };
      const took = send(cold, { hook_event_name: 'PreToolUse', ...call });
      const tool_response = {
        filePath: file,
        oldString: 'x',
        newString: 'x',
        originalFile: content,
        structuredPatch: [],
      };
      send(once, { hook_event_name: 'PostToolUse', ...call, tool_response });
      return took;
    },
  };
}
