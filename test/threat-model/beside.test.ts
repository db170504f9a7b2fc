/** Files besides guard's own that decide whether it runs: those of the client, of git and of other hosts. */
import fs from 'node:fs';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { disk, fieldsOf, type Scratch, type Session, working, wrongs } from '../claude/driver.ts';
import { hookHere, preHere } from '../claude/driver/in-process.ts';
import { installed } from './installed.ts';

const CLIENT_AND_GIT = [
  '/etc/claude-code/managed-settings.json',
  '~/.claude/plugins/installed_plugins.json',
  '~/.claude.json',
  '.claude/settings.json.guard-backup',
  '.git/config',
  '.git/hooks/pre-commit',
  '.git/HEAD',
  '.git/index',
  '.git/refs/heads/main',
  '.git/objects/pack/x.pack',
];

const written = (agent: Session, file: string, content: string): readonly string[] =>
  wrongs(preHere(agent, agent.call('Write', { file_path: agent.scratch.path(file), content })));
const ran = (agent: Session, command: string): readonly string[] =>
  wrongs(preHere(agent, agent.call('Bash', { command })));

describe('it edits files of the client or of git', () => {
  it('with tools: denied', () => {
    const at = installed();
    const agent = working(at);
    const spelled = CLIENT_AND_GIT.map((file) => file.replace('~', at.home));
    expect(spelled.filter((file) => written(agent, file, 'x')[0] !== 'PROTECTED_PATH')).toEqual([]);
    const call = agent.call('Edit', { file_path: at.path('.git/config'), old_string: '[', new_string: '#' });
    expect(wrongs(agent.pre(call))[0]).toBe('PROTECTED_PATH');
  });

  it('by a command line: denied by the hook as installed; what the line does not say is not', () => {
    const at = installed();
    const agent = working(at);
    const passed = CLIENT_AND_GIT.flatMap((file) => [
      `echo x > ${file}`,
      `true; (ls &>> ${file})`,
      `echo x >| ${file}`,
      `echo x | tee -a ${file}`,
      `f=${file}; echo x > $f`,
      `sh -c 'echo x > ${file}'`,
      `rm -f ${file}`,
    ]);
    expect(passed.filter((line) => ran(agent, line)[0] !== 'PROTECTED_PATH')).toEqual([]);
    const denied = agent.pre(agent.call('Bash', { command: 'printf x >> .git/hooks/pre-push' }));
    expect([denied.exit, wrongs(denied)[0]]).toEqual([2, 'PROTECTED_PATH']);
    expect(fs.existsSync(at.path('.git/hooks/pre-push'))).toBe(false);
    const others = ['echo x > "$(cat name)"', 'git config user.name me', 'echo x > out.txt', 'ls .git'];
    expect(others.flatMap((line) => ran(agent, line))).toEqual([]);
  });
});

const OURS = { command: 'node', args: ['${CLAUDE_PROJECT_DIR:-.}/.claude/guard-hook.cjs', 'mcp'] };
const DB = { command: 'db' };
const text = (value: object): string => JSON.stringify(value, null, 2);

describe("it takes guard's entry out of a shared file", () => {
  it('.mcp.json: denied, by a redirection too; other servers are the project’s', () => {
    const at = installed();
    at.put('.mcp.json', text({ mcpServers: { guard: OURS, db: DB } }));
    const agent = working(at);
    for (const mcpServers of [{ db: DB }, { guard: DB }, { guard: { ...OURS, env: { GUARD_X: '1' } } }])
      expect(written(agent, '.mcp.json', text({ mcpServers }))[0]).toBe('PROTECTED_PATH');
    expect(ran(agent, 'echo {} > .mcp.json')).toEqual(['PROTECTED_PATH']);
    const more = text({ mcpServers: { guard: OURS, other: DB } });
    expect(written(agent, '.mcp.json', more)).toEqual(['NOT_LOCKED']);
  });

  it('the hook file of another host: the same', () => {
    const at = installed();
    const hook = { type: 'command', command: 'node .claude/guard-hook.cjs || exit 2' };
    const hooks = (...list: object[]) => ({ hooks: { preToolUse: [{ matcher: 'edit', hooks: list }] } });
    const agent = working(at);
    for (const file of ['.codex/hooks.json', '.cursor/hooks.json', '.gemini/settings.json']) {
      at.put(file, text(hooks(hook)));
      for (const value of [{}, hooks({ ...hook, command: 'true' })])
        expect(written(agent, file, text(value))[0], file).toBe('PROTECTED_PATH');
      const more = text(hooks(hook, { type: 'command', command: 'lint' }));
      expect(written(agent, file, more), file).not.toContain('PROTECTED_PATH');
    }
  });
});

/** A command that cannot be read before it runs. */
const hidden = (command: string): string =>
  `echo ${Buffer.from(command).toString('base64')} | base64 -d | sh`;

/** What the agent is told after a command that was not denied. */
function after(agent: Session, command: string): string {
  const call = agent.call('Bash', { command });
  expect(preHere(agent, call).denial).toBeNull();
  execFileSync('/bin/sh', ['-c', command], { cwd: agent.cwd, env: { ...agent.scratch.env, ...agent.env } });
  const fields = { ...fieldsOf(call), tool_response: { stdout: '', stderr: '', interrupted: false } };
  return hookHere(agent.scratch, JSON.stringify(agent.payload('PostToolUse', fields)), agent.env).context;
}

const status = (at: Scratch): unknown =>
  (at.guard('status', '--json').json() as { noticed: unknown }).noticed;
const shownTo = (agent: Session): string =>
  (JSON.parse(agent.start().stdout || '{}') as { systemMessage?: string }).systemMessage ?? '';

describe('it changes protected files by another command', () => {
  it('not prevented: its agent is told, there is a bypass record, a person sees it in the status and at the next start', () => {
    const at = installed();
    const agent = working(at);
    expect(after(agent, 'true')).toBe('');
    const ways: readonly [string, string][] = [
      ["sed -i 's/Edit|Write/Edit/' .claude/settings.json", '.claude/settings.json'],
      ['echo x > own; mv own .claude/guard-hook.cjs', 'guard-hook.cjs'],
      ['git config core.hooksPath .husky', 'hookspath'],
      ['mkdir -p .git/hooks; cp .git/HEAD .git/hooks/pre-commit', 'pre-commit'],
    ];
    for (const [command, words] of ways) expect(after(agent, hidden(command)).toLowerCase()).toContain(words);
    expect(after(agent, 'true')).toBe('');
    expect(at.log('bypass')).toMatchObject(ways.map(() => ({ what: 'changed', agent: agent.name })));
    expect(status(at)).toMatchObject(ways.map(() => ({ what: 'changed' })));
    const shown = hookHere(at, JSON.stringify(agent.payload('SessionStart', { source: 'startup' })));
    for (const [, words] of ways) expect(shown.stdout.toLowerCase()).toContain(words);
  });
});

describe('it adds a hook command', () => {
  it('allowed, there is a hook.added record, and a person is told', () => {
    const at = installed();
    const agent = working(at);
    const local = '.claude/settings.local.json';
    agent.lock(local);
    agent.read(local);
    const before = JSON.parse(at.read(local)) as object;
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] };
    expect(agent.write(local, text({ ...before, hooks })).post?.exit).toBe(0);
    expect(at.log('hook.added')).toMatchObject([
      { agent: agent.name, event: 'Stop', command: 'say done', tool: 'Write' },
    ]);
    expect(status(at)).toMatchObject([{ what: 'hook', event: 'Stop', detail: 'say done' }]);
    expect(shownTo(working(at))).toContain('say done');
  });
});

describe('a hook of somebody else moves a write', () => {
  it('not prevented: a bypass record, the agent and the holder are told, the content counts as unseen', () => {
    const at = installed({ files: { 'mine.txt': 'one\n', 'theirs.txt': 'two\n' } });
    const [agent, holder] = [working(at), working(at)];
    agent.lock('mine.txt');
    agent.read('mine.txt');
    holder.lock('theirs.txt');
    const call = agent.call('Write', { file_path: at.path('mine.txt'), content: 'new\n' });
    expect(agent.pre(call)).toMatchObject({ exit: 0, denial: null });
    const input = { file_path: at.path('theirs.txt'), content: 'new\n' };
    const told = agent.post({ ...call, input }, disk.write(input.file_path, input.content)).context;
    expect(told).toContain('theirs.txt');
    expect(told).toContain(holder.name);
    expect(at.log('bypass')).toMatchObject([{ path: 'theirs.txt', tool: 'Write', agent: agent.name }]);
    expect(holder.prompt('go on').context).toContain('theirs.txt');
    holder.guard('lock', 'release', 'theirs.txt');
    agent.lock('theirs.txt');
    expect(wrongs(agent.write('theirs.txt', 'more\n').pre).some((type) => /STALE|UNREAD/.test(type))).toBe(
      true,
    );
  });
});

describe("a hook that looks like guard's is there for doctor to run", () => {
  const commandsIn = (at: Scratch, from: string, to: string): void =>
    void at.put('.claude/settings.json', at.read('.claude/settings.json').replaceAll(from, to));
  const live = (at: Scratch, env: Record<string, string> = {}) =>
    (
      at.guardWith(env, 'doctor', '--json').json() as {
        results: { id: string; status: string; facts: { exit?: number } }[];
      }
    ).results.find(({ id }) => id === 'live');

  it('it does not run; guard’s own line does, but none inside a session', () => {
    const at = installed();
    expect(live(at)?.facts.exit).toBe(2);
    expect(live(at, { CLAUDE_CODE_SESSION_ID: 's' })).toMatchObject({ status: 'warn' });
    expect(live(at, { CLAUDECODE: '1' })?.facts).not.toHaveProperty('exit');
    commandsIn(at, '"NODE', `"touch ${at.home}/ran; NODE`);
    expect(at.read('.claude/settings.json')).toContain('/ran; NODE');
    expect(live(at)).toMatchObject({ status: 'warn' });
    expect(fs.existsSync(`${at.home}/ran`)).toBe(false);
  });
});
