/** Writes to the files that keep a repository guarded, with the tools that guard checks. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GUARD, HOOK, PACKAGE, type Scratch, type Session, working, wrongs } from '../claude/driver.ts';
import { preHere } from '../claude/driver/in-process.ts';
import { harness } from '../harness/harness.ts';
import { installed } from './installed.ts';

const config = { mcp: { writers: [{ tool: 'mcp__fs__write', paths: ['path'] }] } };

/** The first objection to writing a file, for each of the tools. */
const firstWrongs = (agent: Session, file_path: string): readonly (string | undefined)[] =>
  [
    agent.call('Edit', { file_path, old_string: 'a', new_string: 'b' }),
    agent.call('Write', { file_path, content: 'x' }),
    agent.call('NotebookEdit', { notebook_path: file_path, new_source: 'x' }),
    agent.call('mcp__fs__write', { path: file_path }),
  ].map((call) => wrongs(agent.pre(call))[0]);

const all = (type: string): readonly string[] => Array<string>(4).fill(type);

describe('it edits guard with file tools', () => {
  it('its state, configuration, launcher and program, with any of them', () => {
    const at = installed({ config });
    const agent = working(at);
    expect(firstWrongs(agent, `${at.state}/install.json`)).toEqual(all('PROTECTED_PATH'));
    expect(firstWrongs(agent, at.path('guard.config.json'))).toEqual(all('PROTECTED_PATH'));
    expect(firstWrongs(agent, at.path('src/config.json'))).toEqual(all('NOT_LOCKED'));
    const others = [
      `${at.state}/off.json`,
      `${at.state}/seen/new.log`,
      `${at.home}/.config/guard/config.json`,
      at.path('.claude/guard-hook.cjs'),
      GUARD,
      HOOK,
      join(PACKAGE, 'hooks/hooks.json'),
    ];
    const told = others.map((file_path) => preHere(agent, agent.call('Write', { file_path, content: 'x' })));
    expect(told.map((answer) => wrongs(answer)[0])).toEqual(others.map(() => 'PROTECTED_PATH'));
  });
});

describe('it edits a role file', () => {
  it('with file tools: denied', () => {
    const at = installed({ config });
    expect(firstWrongs(working(at), at.path('.agents/roles/dev.json'))).toEqual(all('PROTECTED_PATH'));
  });

  it('through Bash: no agent of its tree drafts with it, and who drafts later does', () => {
    const at = harness();
    const role = { name: 'new', category: 'worker', prompt: 'x', tools: ['Bash'] };
    at.at.put('new', JSON.stringify(role));
    const draft = `"${process.execPath}" "${GUARD}" agent draft --role new --json x`;
    const told = at.await(at.draft('lead', [`sh mv new .agents/roles/new.json; ${draft}`]));
    expect(told.message).toContain('The role new was changed after');
    expect(at.list('--all')).toHaveLength(1);
    expect(at.await(at.draft('new', ['result x']))).toMatchObject({ status: 'completed' });
  });
});

type Settings = Record<string, unknown> & { readonly hooks: Readonly<Record<string, readonly object[]>> };
const SETTINGS = '.claude/settings.json';
const settingsOf = (at: Scratch): Settings => JSON.parse(at.read(SETTINGS)) as Settings;

describe('it unhooks guard with file tools', () => {
  it('by taking hooks out, by disableAllHooks, by variables that reach the hooks: denied', () => {
    const at = installed();
    const agent = working(at);
    agent.lock(SETTINGS, '.claude/settings.local.json');
    const settings = settingsOf(at);
    const { PreToolUse, ...hooks } = settings.hooks;
    const write = (file: string, content: object) =>
      wrongs(
        preHere(agent, agent.call('Write', { file_path: at.path(file), content: JSON.stringify(content) })),
      );
    const changes: readonly object[] = [
      { ...settings, hooks: {} },
      { ...settings, hooks },
      { ...settings, hooks: { ...hooks, PreToolUse: PreToolUse?.slice(1) } },
      { ...settings, disableAllHooks: true },
      ...['PATH', 'NODE_OPTIONS', 'GUARD_ENFORCEMENT', 'LD_PRELOAD', 'HOME'].map((name) => ({
        ...settings,
        env: { [name]: '/evil' },
      })),
    ];
    expect(changes.map((change) => write(SETTINGS, change)[0])).toEqual(changes.map(() => 'PROTECTED_PATH'));
    expect(write('.claude/settings.local.json', { disableAllHooks: true })[0]).toBe('PROTECTED_PATH');
    expect(write(SETTINGS, { ...settings, env: { NODE_ENV: 'test' }, model: 'opus' })).toEqual([]);
  });

  it('by an Edit of the line that guards: denied, and the file stays', () => {
    const at = installed();
    const agent = working(at);
    agent.lock(SETTINGS);
    const before = at.read(SETTINGS);
    const edits = [
      [' || exit 2', ''],
      ['Edit|Write', 'Edit'],
      ['guard-hook.cjs', 'other.cjs'],
    ] as const;
    for (const [from, to] of edits)
      expect(wrongs(agent.edit(SETTINGS, from, to).pre)[0], from).toBe('PROTECTED_PATH');
    expect(at.read(SETTINGS)).toBe(before);
  });

  it('by a value for which the client drops the whole file, or a prefix for every hook: denied', () => {
    const at = installed();
    const agent = working(at);
    agent.lock(SETTINGS);
    const settings = settingsOf(at);
    const changes: readonly object[] = [
      { ...settings, env: 5 },
      { ...settings, permissions: { allow: 5 } },
      { ...settings, permissions: { defaultMode: 'nope' } },
      { ...settings, env: { CLAUDE_CODE_SHELL_PREFIX: '/bin/true' } },
    ];
    for (const change of changes) {
      const call = agent.call('Write', { file_path: at.path(SETTINGS), content: JSON.stringify(change) });
      expect(wrongs(preHere(agent, call))[0], JSON.stringify(change).slice(-80)).toBe('PROTECTED_PATH');
    }
  });
});
