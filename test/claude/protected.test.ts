/** PROTECTED_PATH: the tools that guard checks cannot write the files that keep the repository guarded. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failClosed } from '../../src/install/command.ts';
import { expectEnvelope, GUARD, initialise, oneAgent, PACKAGE, scratch, wrongs } from './driver.ts';
import type { Scratch } from './driver.ts';

const SETTINGS = '.claude/settings.json';
const LOCAL = '.claude/settings.local.json';

function guarded(files: Readonly<Record<string, string>> = {}) {
  const { at, agent } = oneAgent({ files });
  const write = (file: string, content = 'x') =>
    wrongs(agent.pre(agent.call('Write', { file_path: at.path(file), content })));
  return { at, agent, write };
}

type Settings = Record<string, unknown> & { hooks: Record<string, { hooks: Record<string, unknown>[] }[]> };
const settingsOf = (at: Scratch): Settings => JSON.parse(at.read(SETTINGS)) as Settings;

describe('a write to guard itself is denied', () => {
  it.each([
    ['the ledger', (at: Scratch) => `${at.state}/ledger-0000000000000000.jsonl`],
    ['install.json', (at: Scratch) => `${at.state}/install.json`],
    ['the switch that turns guard off', (at: Scratch) => `${at.state}/off.json`],
    ['a new file in the state directory', (at: Scratch) => `${at.state}/deep/er/new`],
    ['the configuration', () => 'guard.config.json'],
    ['the configuration of a directory below', () => 'src/guard.config.json'],
    ['the configuration under another spelling', (at: Scratch) => `${at.root}/src/../GUARD.config.json`],
    ['the user configuration', (at: Scratch) => `${at.home}/.config/guard/config.json`],
    ["the user's state", (at: Scratch) => `${at.home}/.local/state/guard/ledger-0`],
    ['the launcher', () => '.claude/guard-hook.cjs'],
    ['a role', () => '.agents/roles/dev.json'],
    ['a role under another spelling', () => 'src/../.agents/roles/dev.json'],
    ["guard's program", () => join(PACKAGE, 'dist/hook.cjs')],
    ["guard's command line", () => GUARD],
    ["the plugin's hooks", () => join(PACKAGE, 'hooks/hooks.json')],
    ["guard's native code", () => join(PACKAGE, 'native/guard-linux-x64.node')],
    [
      'what the program home starts',
      (at: Scratch) =>
        `${at.home}/${process.platform === 'darwin' ? 'Library/Application Support' : '.local/share'}/guard/current.json`,
    ],
    [
      'a version in the program home',
      (at: Scratch) =>
        `${at.home}/${process.platform === 'darwin' ? 'Library/Application Support' : '.local/share'}/guard/versions/0.1.0-000000000000/dist/hook.cjs`,
    ],
    ["the plugin's manifest", () => join(PACKAGE, '.claude-plugin/plugin.json')],
    ['a state directory above, which would take over', (at: Scratch) => `${at.root}/../.guard/install.json`],
    ['a state directory in another git directory', (at: Scratch) => `${at.home}/x/.git/guard/install.json`],
  ])('%s', (_, path) => {
    const { at, agent } = guarded();
    const denial = expectEnvelope(
      agent.pre(agent.call('Write', { file_path: at.path(path(at)), content: 'x' })),
    );
    expect(denial.error_type).toBe('PROTECTED_PATH');
    expect(typeof denial.details['reason']).toBe('string');
    expect(fs.existsSync(at.path('src'))).toBe(false);
  });

  it('through a symbolic link to it, to its directory, or by a relative path', () => {
    const { at, agent, write } = guarded({ 'a.txt': 'x' });
    fs.symlinkSync(at.state, at.path('innocent'));
    fs.symlinkSync('guard.config.json', at.path('config.txt'));
    fs.symlinkSync(SETTINGS, at.path('s.json'));
    expect(write('innocent/install.json')).toContain('PROTECTED_PATH');
    expect(write('config.txt')).toContain('PROTECTED_PATH');
    expect(write('s.json', '{}')).toContain('PROTECTED_PATH');
    const relative = agent.call('Edit', {
      file_path: '.git/guard/install.json',
      old_string: 'a',
      new_string: 'b',
    });
    expect(wrongs(agent.pre(relative))).toContain('PROTECTED_PATH');
  });

  it('where HOME itself is a symbolic link', () => {
    const at = scratch({ init: null });
    fs.symlinkSync(at.home, `${at.home}-link`);
    initialise(at, []);
    const { agent } = oneAgent({ init: null });
    const env = { ...agent.env, HOME: `${at.home}-link`, CLAUDE_PROJECT_DIR: at.root };
    const call = agent.payload('PreToolUse', {
      tool_name: 'Write',
      tool_input: { file_path: `${at.home}-link/.config/guard/config.json`, content: '{}' },
      tool_use_id: 't',
    });
    expect(wrongs(at.hook({ ...call, cwd: at.root }, env))).toContain('PROTECTED_PATH');
  });

  it('by a tool of an MCP server and by a notebook tool too', () => {
    const { at, agent } = oneAgent({
      config: { mcp: { writers: [{ tool: 'mcp__fs__write', paths: ['p'] }] } },
    });
    const mcp = agent.call('mcp__fs__write', { p: at.path(SETTINGS) });
    const notebook = agent.call('NotebookEdit', {
      notebook_path: at.path('guard.config.json'),
      new_source: '',
    });
    expect([mcp, notebook].map((call) => wrongs(agent.pre(call))[0])).toEqual([
      'PROTECTED_PATH',
      'PROTECTED_PATH',
    ]);
  });
});

describe('role files', () => {
  const role = (file: string, rolesDir = 'work/roles') => {
    const { at, agent } = oneAgent({ config: { rolesDir } });
    return wrongs(agent.pre(agent.call('Write', { file_path: at.path(file), content: '{}' })))[0];
  };

  it.each(['work/roles', './work//roles/'])('are protected where the configuration puts them, %s', (dir) => {
    expect(role('work/roles/dev.json', dir)).toBe('PROTECTED_PATH');
    expect(role('work/roles/deeper/dev.json', dir)).toBe('PROTECTED_PATH');
    // Agents may be drafted under another configuration.
    expect(role('.agents/roles/dev.json', dir)).toBe('PROTECTED_PATH');
    expect(role('work/role.json', dir)).toBe('NOT_LOCKED');
    expect(role('work/roles.json', dir)).toBe('NOT_LOCKED');
    expect(role('.agents/tasks/t/task.json', dir)).toBe('NOT_LOCKED');
  });

  it('are protected in a worktree, whose branch may become that of the main checkout', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'x' } });
    at.git('add', '-A');
    at.git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'Start');
    at.git('worktree', 'add', '-q', '.claude/worktrees/one');
    const file_path = at.path('.claude/worktrees/one/.agents/roles/dev.json');
    expect(wrongs(agent.pre(agent.call('Write', { file_path, content: '{}' })))).toContain('PROTECTED_PATH');
  });
});

describe("an edit of the client's settings", () => {
  it('that leaves guard hooked is an ordinary write', () => {
    const { at, agent, write } = guarded();
    agent.lock(SETTINGS, LOCAL);
    const harmless = { ...settingsOf(at), permissions: { allow: ['Bash(ls:*)'] }, env: { FOO: 'bar' } };
    expect(write(SETTINGS, JSON.stringify(harmless))).toEqual([]);
    agent.batch();
    agent.read(LOCAL);
    expect(write(LOCAL, '{"model":"opus"}')).toEqual([]);
    agent.batch();
    expect(agent.edit(SETTINGS, '"hooks"', '"model": "opus",\n  "hooks"').post?.exit).toBe(0);
  });

  it('of a file that is none of the client is an ordinary write', () => {
    const { write } = guarded();
    expect(write('settings.json', '{"disableAllHooks":true}')).toEqual(['NOT_LOCKED']);
    expect(write('.claude/other.json', '{"disableAllHooks":true}')).toEqual(['NOT_LOCKED']);
  });

  const changes: readonly [string, (settings: Settings) => unknown][] = [
    ['removes all hooks', (settings) => ({ ...settings, hooks: undefined })],
    [
      'removes one of guard',
      ({ hooks }) => ({ hooks: { ...hooks, PreToolUse: hooks['PreToolUse']?.slice(1) } }),
    ],
    ['narrows the matcher', ({ hooks }) => replaceIn(hooks, 'Edit|Write', 'Edit')],
    [
      'takes away what denies when the hook fails',
      ({ hooks }) => replaceIn(hooks, JSON.stringify(failClosed('')).slice(1, -1), ''),
    ],
    ['shortens the timeout', ({ hooks }) => replaceIn(hooks, '"timeout":60', '"timeout":1')],
    ['disables all hooks', (settings) => ({ ...settings, disableAllHooks: true })],
    ['sets a variable of guard', (settings) => ({ ...settings, env: { GUARD_ENFORCEMENT: 'off' } })],
    ['sets NODE_OPTIONS', (settings) => ({ ...settings, env: { NODE_OPTIONS: '--require /tmp/x.js' } })],
    ['sets PATH', (settings) => ({ ...settings, env: { PATH: '/evil' } })],
    ['sets HOME', (settings) => ({ ...settings, env: { HOME: '/evil' } })],
    ['makes the hooks a list', (settings) => ({ ...settings, hooks: [settings.hooks] })],
    [
      'adds a hook that voids the file',
      ({ hooks }) => ({ hooks: { ...hooks, Notification: [{ matcher: 5, hooks: [] }] } }),
    ],
    [
      'adds a hook without a type',
      ({ hooks }) => ({ hooks: { ...hooks, Notification: [{ hooks: [{ command: 'x' }] }] } }),
    ],
    ['has a hook entry whose `if` is a number', ({ hooks }) => plus(hooks, { if: 5 })],
    ['has a hook entry whose `async` is a string', ({ hooks }) => plus(hooks, { async: 'yes' })],
    ['has a hook entry whose `statusMessage` is a number', ({ hooks }) => plus(hooks, { statusMessage: 5 })],
    ['has a prompt hook without its prompt', ({ hooks }) => plus(hooks, { type: 'prompt' })],
    ['makes the rules a number', (settings) => ({ ...settings, permissions: { allow: 5 } })],
    ['makes `env` a number', (settings) => ({ ...settings, env: 5 })],
    [
      'names a mode that does not exist',
      (settings) => ({ ...settings, permissions: { defaultMode: 'nope' } }),
    ],
    [
      'sets a prefix for hooks',
      (settings) => ({ ...settings, env: { CLAUDE_CODE_SHELL_PREFIX: '/bin/true' } }),
    ],
    ['sets BASH_ENV', (settings) => ({ ...settings, env: { BASH_ENV: '/tmp/x' } })],
    ['sets CLAUDE_CODE_SIMPLE', (settings) => ({ ...settings, env: { CLAUDE_CODE_SIMPLE: '1' } })],
    ['sets CLAUDE_CONFIG_DIR', (settings) => ({ ...settings, env: { CLAUDE_CONFIG_DIR: '/tmp/x' } })],
    [
      'switches a guard plugin off',
      (settings) => ({ ...settings, enabledPlugins: { 'guard@market': false } }),
    ],
  ];

  it.each(changes)('that %s is denied', (_, change) => {
    const { at, write } = guarded();
    expect(write(SETTINGS, JSON.stringify(change(settingsOf(at))))).toContain('PROTECTED_PATH');
  });

  it.each([
    ['is no JSON', '{"hooks": '],
    ['has a comment', '{} // x'],
    ['has a comma too many', '{"a":1,}'],
    ['is a list', '[]'],
    ['is empty of everything', ''],
  ])('after which the file %s is denied', (_, content) => {
    expect(guarded().write(SETTINGS, content)).toContain('PROTECTED_PATH');
  });

  it('in a file that did not exist is judged as well', () => {
    const { at, write } = guarded();
    expect(write(`${at.home}/.claude/settings.json`, '{"disableAllHooks":true}')).toContain('PROTECTED_PATH');
    expect(write('sub/.claude/settings.json', '{"env":{"PATH":"/x"}}')).toContain('PROTECTED_PATH');
  });

  it('by Edit is judged by what the client would find: CR LF in the file, replace_all, `$&` in the new text', () => {
    const { at, agent } = guarded();
    const edit = (old_string: string, new_string: string, replace_all = false) =>
      wrongs(
        agent.pre(agent.call('Edit', { file_path: at.path(SETTINGS), old_string, new_string, replace_all })),
      );
    agent.lock(SETTINGS);
    expect(edit('"matcher": "Bash"', '"matcher": "$&"')).toContain('PROTECTED_PATH');
    expect(edit('guard-hook.cjs', 'other.cjs', true)).toContain('PROTECTED_PATH');
    expect(edit('this text is not in the file', '')).toContain('PROTECTED_PATH');
    const text = at.read(SETTINGS);
    at.put(SETTINGS, text.replaceAll('\n', '\r\n'));
    agent.read(SETTINGS);
    const block = /"matcher": "Bash[^"]*",\n\s*"hooks": \[\n\s*\{/.exec(text)?.[0] ?? '';
    expect(block).not.toBe('');
    expect(edit(block, block.replace('Bash', 'Never'))).toContain('PROTECTED_PATH');
  });

  it('by a tool whose result guard cannot foresee is denied', () => {
    const { at, agent } = guarded();
    const call = agent.call('MultiEdit', { file_path: at.path(SETTINGS), edits: [] });
    expect(wrongs(agent.pre(call))).toContain('PROTECTED_PATH');
  });
});

const replaceIn = (hooks: Settings['hooks'], from: string, to: string) => {
  const text = JSON.stringify(hooks);
  if (!text.includes(from)) throw new Error(`${from} is not in the settings`);
  return { hooks: JSON.parse(text.replace(from, to)) as unknown };
};

const plus = (hooks: Settings['hooks'], entry: object) => ({
  hooks: {
    ...hooks,
    PreToolUse: [
      ...(hooks['PreToolUse'] ?? []),
      { matcher: 'Bash', hooks: [{ type: 'command', command: 'true', ...entry }] },
    ],
  },
});
