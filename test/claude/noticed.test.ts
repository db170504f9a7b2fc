/** Allowed, but worth a person's attention: hooks that agents add, and changes to the files that keep guard working. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { disk, fieldsOf, oneAgent, type Scratch, type Session, working } from './driver.ts';
import { hookHere } from './driver/in-process.ts';

const SETTINGS = '.claude/settings.json';
const LOCAL = '.claude/settings.local.json';
const HOOK = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] } };

const noticed = (at: Scratch): unknown =>
  (at.guard('status', '--json').json() as { noticed: unknown }).noticed;
const messageOf = (agent: Session): string =>
  (JSON.parse(agent.start().stdout || '{}') as { systemMessage?: string }).systemMessage ?? '';

/** A command of the agent that changes the disk. */
function bash(agent: Session, act: () => unknown): string {
  const call = agent.call('Bash', { command: 'make' });
  act();
  const fields = { ...fieldsOf(call), tool_response: { stdout: '', stderr: '', interrupted: false } };
  return hookHere(agent.scratch, JSON.stringify(agent.payload('PostToolUse', fields)), agent.env).context;
}

function looked() {
  const { at, agent } = oneAgent({ files: { 'a.txt': 'x' } });
  expect(bash(agent, () => null)).toBe('');
  return { at, agent };
}

describe('a hook that an agent adds', () => {
  it('with Write is allowed, on record, in the status, and shown to a person once', () => {
    const { at, agent } = oneAgent();
    agent.lock(LOCAL);
    agent.read(LOCAL);
    const text = JSON.stringify({
      ...(fs.existsSync(at.path(LOCAL)) ? (JSON.parse(at.read(LOCAL)) as object) : {}),
      ...HOOK,
    });
    expect(agent.write(LOCAL, text).post).toMatchObject({ exit: 0, stderr: '' });
    expect(at.log('hook.added')).toMatchObject([
      { agent: agent.name, file: at.path(LOCAL), event: 'Stop', command: 'say done', tool: 'Write' },
    ]);
    expect(noticed(at)).toMatchObject([{ what: 'hook', event: 'Stop', detail: 'say done' }]);
    expect(at.guard('status').stdout).toContain('say done');
    const next = working(at);
    expect(messageOf(next)).toContain('say done');
    expect(messageOf(next)).toBe('');
    expect(noticed(at)).toMatchObject([{ told: true }]);
    fs.rmSync(at.path(LOCAL));
    expect(noticed(at)).toEqual([]);
  });

  it('by a command: the agent hears of it, and it is on record once', () => {
    const { at, agent } = looked();
    const told = bash(agent, () => at.put(LOCAL, JSON.stringify(HOOK)));
    expect(told).toContain('say done');
    expect(bash(agent, () => null)).toBe('');
    expect(at.log('hook.added')).toHaveLength(1);
  });

  it.each([
    'id; node "${CLAUDE_PROJECT_DIR:-.}/.claude/guard-hook.cjs" || exit 2',
    'node -r /tmp/x .claude/guard-hook.cjs',
    '/tmp/node /tmp/dist/hook.cjs guard',
  ])('also where it names guard: %s', (command) => {
    const { at, agent } = looked();
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });
    bash(agent, () => at.put(LOCAL, text));
    expect(at.log('hook.added')).toMatchObject([{ event: 'Stop', command }]);
  });

  it('and one that was there before is no news', () => {
    const { at, agent } = oneAgent();
    at.put(LOCAL, JSON.stringify(HOOK));
    agent.lock(LOCAL);
    agent.read(LOCAL);
    agent.write(LOCAL, JSON.stringify({ ...HOOK, model: 'opus' }));
    expect(at.log('hook.added')).toEqual([]);
  });
});

describe('after a command', () => {
  const changes: readonly [string, (at: Scratch) => unknown, string][] = [
    ['guard’s hooks are gone', (at) => at.put(SETTINGS, '{}'), SETTINGS],
    [
      'one of them is narrowed',
      (at) => at.put(SETTINGS, at.read(SETTINGS).replace('Edit|Write', 'Edit')),
      SETTINGS,
    ],
    [
      'hooks are disabled',
      (at) => at.put(SETTINGS, at.read(SETTINGS).replace('{', '{"disableAllHooks": true,')),
      SETTINGS,
    ],
    [
      'the launcher is another',
      (at) => at.put('.claude/guard-hook.cjs', 'process.exit(0)'),
      'guard-hook.cjs',
    ],
    ['the launcher is gone', (at) => fs.rmSync(at.path('.claude/guard-hook.cjs')), 'guard-hook.cjs'],
    ['a configuration appears', (at) => at.put('guard.config.json', '{}'), 'guard.config.json'],
    ['git gets another hook directory', (at) => at.git('config', 'core.hooksPath', '.husky'), 'hookspath'],
    ['git gets a hook', (at) => at.put('.git/hooks/pre-commit', 'x'), 'pre-commit'],
  ];

  it.each(changes)('it is said and on record that %s', (_, change, words) => {
    const { at, agent } = looked();
    const told = bash(agent, () => change(at));
    expect(told.toLowerCase()).toContain(words.toLowerCase());
    expect(at.log('bypass')).toMatchObject([{ what: 'changed', agent: agent.name, tool: 'Bash' }]);
    expect(bash(agent, () => null)).toBe('');
    expect(messageOf(working(at)).toLowerCase()).toContain(words.toLowerCase());
    expect(noticed(at)).toEqual([]);
  });

  it('a settings file that is a link is watched where it leads', () => {
    const { at, agent } = looked();
    const kept = at.path('dotfiles.json');
    fs.renameSync(at.path(SETTINGS), kept);
    fs.symlinkSync(kept, at.path(SETTINGS));
    expect(bash(agent, () => null)).toBe('');
    const told = bash(agent, () => at.put('dotfiles.json', '{}'));
    expect(told).toContain(SETTINGS);
    expect(at.log('bypass')).toMatchObject([{ what: 'changed', agent: agent.name, tool: 'Bash' }]);
  });

  it('nothing is said of ordinary commands', () => {
    const { at, agent } = looked();
    const acts: readonly (() => unknown)[] = [
      () => at.put('src/x.ts', 'x'),
      () => at.git('add', '-A'),
      () => at.git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'x'),
      () => at.git('checkout', '-qb', 'other'),
      () => at.git('config', 'user.name', 'me'),
      () => at.git('config', 'branch.other.remote', 'origin'),
      () => at.put(LOCAL, '{"model":"opus"}'),
      () => at.put(SETTINGS, at.read(SETTINGS).replace('{', '{"model": "opus",')),
      () => at.put('.mcp.json', '{"mcpServers":{"db":{"command":"db"}}}'),
      () => at.put('.codex/config.toml', 'model = "x"'),
      () => at.put('.husky/pre-commit', 'x'),
      () => fs.utimesSync(at.path(SETTINGS), 1, 1),
    ];
    expect(acts.map((act) => bash(agent, act)).filter((told) => told !== '')).toEqual([]);
    expect(at.log('bypass')).toEqual([]);
  });

  it('nor of what guard init writes', () => {
    const { at, agent } = looked();
    expect(bash(agent, () => at.guard('init', '--mcp'))).toBe('');
    expect(bash(agent, () => disk.edit(at.path('a.txt'), 'x', 'y'))).toBe('');
  });

  it('guard explain looks and changes nothing', () => {
    const { at, agent } = looked();
    at.put('.git/hooks/pre-commit', 'x');
    const call = agent.call('Bash', { command: 'make' });
    const event = agent.payload('PostToolUse', {
      tool_name: 'Bash',
      tool_input: call.input,
      tool_use_id: call.id,
      tool_response: { stdout: '' },
    });
    at.put('event.json', JSON.stringify(event));
    at.guard('explain', 'event.json');
    expect(bash(agent, () => null)).toContain('pre-commit');
  });
});
