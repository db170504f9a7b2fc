/** What the launcher itself answers to every client if a repository is set up but its state is gone. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeGuard, launcherPlace, project, WRITE } from './launcher-place.ts';
import { gitRepo } from './scratch.ts';

const { base, install, fire } = launcherPlace();
const root = fakeGuard(join(base, 'the guard'));

describe('where the state directory is gone', () => {
  const dir = project(gitRepo(join(base, 'gone')));
  install(join(dir, '.git', 'guard'), root);
  rmSync(join(dir, '.git', 'guard'), { recursive: true });
  const call = (tool_name: string, tool_input: object) =>
    fire(dir, { hook_event_name: 'PreToolUse', tool_name, tool_input });

  it.each([
    ['mcp__filesystem__write_file', { path: 'a.txt' }],
    ['mcp__filesystem__move_file', { source: 'a.txt', destination: 'b.txt' }],
    ['mcp__plugin_serena_serena__replace_content', { relative_path: 'a.txt' }],
    ['mcp__jetbrains__replace_text_in_file', { pathInProject: 'a.txt' }],
    ['mcp__text-editor__edit_text_file_contents', { files: [{ file_path: 'a.txt' }] }],
    ['mcp__claude-code__Write', { file_path: 'a.txt' }],
    ['apply_patch', { command: '*** Begin Patch' }],
    ['', { file_path: 'a.txt' }],
  ])('%s is denied', (tool, input) => {
    expect(call(tool, input).code).toBe(2);
  });

  it.each([
    ['mcp__filesystem__read_text_file', { path: 'a.txt' }],
    ['mcp__github__create_or_update_file', { owner: 'o', repo: 'r', path: 'a.txt' }],
    ['mcp__user-profile__update_settings', { theme: 'dark' }],
    ['mcp__filesystem__create_directory', {}],
    ['TodoWrite', {}],
    ['Read', { file_path: 'a.txt' }],
  ])('%s passes', (tool, input) => {
    expect(call(tool, input)).toMatchObject({ code: 0, stdout: '' });
  });

  it.each([
    ['VS Code', { hookEventName: 'PreToolUse', tool_name: 'create_file', tool_input: { filePath: 'a' } }],
    [
      'Gemini CLI',
      { hook_event_name: 'BeforeTool', tool_name: 'write_file', tool_input: { file_path: 'a' } },
    ],
    ['Copilot CLI', { sessionId: 's', timestamp: 1, toolName: 'create', toolArgs: { path: 'a' } }],
    ['opencode', { input: { tool: 'write', callID: 'c' }, output: { args: { filePath: 'a' } } }],
  ])('a write of %s is denied in its own terms', (_client, event) => {
    expect(fire(dir, event)).toMatchObject({ code: 2, stderr: expect.stringContaining('is gone') as string });
  });

  it.each([
    { sessionId: 's', timestamp: 1, toolName: 'create', toolArgs: {}, toolResult: {} },
    { sessionId: 's', timestamp: 1, toolName: 'view', toolArgs: { path: 'a' } },
    { hook_event_name: 'AfterTool', tool_name: 'write_file' },
    { sessionId: 's', timestamp: 1, source: 'new' },
  ])('and what is no write passes: %j', (event) => {
    expect(fire(dir, event)).toMatchObject({ code: 0, stdout: '' });
  });

  it('the answer is flat for Copilot CLI, which reads it only so, with the whole reason on standard error', () => {
    const env = { CLAUDE_PROJECT_DIR: dir, COPILOT_CLI: '1' };
    const { code, stdout, stderr } = fire(dir, WRITE, env);
    const said = JSON.parse(stdout) as Record<string, string>;
    expect([code, Object.keys(said).sort()]).toEqual([2, ['permissionDecision', 'permissionDecisionReason']]);
    expect(stderr.trim()).toBe(said['permissionDecisionReason']);
  });

  it('an event of nobody is no decision, and the write entry makes a denial of it', () => {
    for (const event of ['[]', '{}', '7']) expect(fire(dir, event)).toMatchObject({ code: 1, stdout: '' });
  });
});
