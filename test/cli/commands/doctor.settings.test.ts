import { chmodSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guard, PACKAGE, put, run, text } from '../../install/scratch.ts';
import { doctor, look, patients } from './patient.ts';

const fresh = patients();

const entry = (more: object): string =>
  JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'x', ...more }] }] } });

describe('guard doctor finds', () => {
  it('that guard is not set up', () => {
    const told = look(fresh('none'));
    expect([told.code, told.complaints]).toEqual([1, ['fail state_dir', 'fail hooks']]);
  });

  it.each([
    ['a trailing comma', 'settings.local.json', '{\n  "model": "x",\n}\n', 'settings.local.json:2:15'],
    ['a comment', 'settings.local.json', '{} // x', 'settings.local.json:1:4'],
    [
      'a matcher that is a number',
      'settings.local.json',
      '{"hooks":{"PreToolUse":[{"matcher":3,"hooks":[]}]}}',
      'hooks.PreToolUse[0].matcher',
    ],
    [
      'a timeout that is a text',
      'settings.local.json',
      '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","timeout":"5"}]}]}}',
      'timeout',
    ],
    [
      'an unknown hook type',
      'settings.local.json',
      '{"hooks":{"PreToolUse":[{"hooks":[{"type":"shell","command":"x"}]}]}}',
      'hooks[0].type',
    ],
    ['a hook whose `if` is a number', 'settings.local.json', entry({ if: 5 }), 'hooks[0].if'],
    ['an `env` that is a number', 'settings.local.json', '{"env":5}', 'env'],
    ['rules that are a number', 'settings.local.json', '{"permissions":{"allow":5}}', 'permissions.allow'],
    ['a model that is a number', 'settings.local.json', '{"model":5}', 'model'],
  ])('%s, which voids a settings file', (_what, name, content, where) => {
    const place = fresh();
    put(join(place.repo, '.claude', name), content);
    const told = look(place);
    expect([
      told.code,
      told.of('settings')[0]?.status,
      told.of('settings')[0]?.message.includes(where),
    ]).toEqual([1, 'fail', true]);
  });

  it.each([
    ['an event that no client knows', '{"hooks":{"PreToolUsed":[]}}', 'hooks.PreToolUsed'],
    ['a key that guard does not know', '{"newKey":1}', 'newKey'],
    [
      'a hook that the client leaves out',
      '{"hooks":{"Stop":[{"hooks":[{"type":"shell"}]}]}}',
      'hooks[0].type',
    ],
  ])('%s, which costs nothing else', (_what, content, where) => {
    const place = fresh();
    put(join(place.repo, '.claude', 'settings.local.json'), content);
    const told = look(place);
    expect([told.code, told.of('settings')[0]?.status]).toEqual([0, 'warn']);
    expect(told.of('settings')[0]?.message).toContain(where);
  });

  it.each(['runs', 'drops'])('by a trial what a client that %s hooks makes of a newer key', (verdict) => {
    const place = fresh();
    put(join(place.repo, '.claude', 'settings.local.json'), '{"newKey":1}');
    // A client that runs the prompt hook, unless it rejects the new key.
    const refuses = verdict === 'drops' ? 'grep -q newKey .claude/settings.json || ' : '';
    const hook = `eval "$(sed -n 's/.*"command":"\\(touch [^;]*\\);.*/\\1/p' .claude/settings.json)"`;
    const program = join(place.home, 'trial-bin', 'claude');
    put(program, `#!/bin/sh\nif [ "$1" = --version ]; then echo 2.1.340; exit; fi\n${refuses}${hook}\n`);
    chmodSync(program, 0o755);
    const env = { ...place.env, PATH: `${join(place.home, 'trial-bin')}:${place.env['PATH'] ?? ''}` };
    const [found] = look({ repo: place.repo, env }).of('settings');
    expect([found?.facts['trial'], found?.status]).toEqual([verdict, verdict === 'runs' ? 'ok' : 'fail']);
    const inside = look({ repo: place.repo, env: { ...env, CLAUDECODE: '1' } }).of('settings');
    expect(inside[0]?.facts['trial']).toBe('untried');
  });

  it('a client session that guard saw nothing of', () => {
    const place = fresh();
    const dir = join(place.home, '.claude/projects', place.repo.replace(/[^a-zA-Z0-9]/g, '-'));
    const later = new Date(Date.now() + 60_000);
    const transcript = (session: string, line: string) => {
      put(join(dir, `${session}.jsonl`), `${line}\n`);
      utimesSync(join(dir, `${session}.jsonl`), later, later);
    };
    const first = '{"type":"user","message":{"role":"user","content":"hello"}}';
    expect(look(place).of('client_life')).toMatchObject([{ status: 'ok', facts: { sessions: 0 } }]);
    transcript('00000000-0000-4000-8000-000000000000', '{"type":"summary"}');
    expect(look(place).of('client_life')).toMatchObject([{ status: 'ok', facts: { sessions: 0 } }]);
    const session = '11111111-1111-4111-8111-111111111111';
    transcript(session, first);
    expect(look(place).of('client_life')).toMatchObject([{ status: 'warn', facts: { session, unseen: 1 } }]);
    const event = {
      hook_event_name: 'SessionStart',
      source: 'startup',
      session_id: session,
      cwd: place.repo,
    };
    const ran = run('/bin/sh', ['-c', 'node .claude/guard-hook.cjs'], {
      cwd: place.repo,
      env: { ...place.env, CLAUDE_PROJECT_DIR: place.repo },
      input: JSON.stringify(event),
    });
    expect(ran.code, ran.stderr).toBe(0);
    expect(look(place).of('client_life')).toMatchObject([{ status: 'ok', facts: { sessions: 1 } }]);
  });

  it('disableAllHooks', () => {
    const place = fresh();
    put(join(place.repo, '.claude', 'settings.local.json'), '{"disableAllHooks": true}');
    expect(look(place).complaints).toContain('fail disabled');
  });

  it.each([
    ['NODE_OPTIONS', 'fail'],
    ['PATH', 'fail'],
    ['LD_PRELOAD', 'fail'],
    ['CLAUDE_CODE_SHELL_PREFIX', 'fail'],
    ['GUARD_PRESET', 'warn'],
    ['BASH_ENV', 'warn'],
  ])('env.%s in a settings file', (name, status) => {
    const place = fresh();
    put(
      join(place.repo, '.claude', 'settings.local.json'),
      JSON.stringify({ env: { [name]: 'x', HARMLESS: 'y' } }),
    );
    const [found] = look(place).of('environment');
    expect([found?.status, found?.facts['variable']]).toEqual([status, name]);
  });

  it('a timeout that looks like milliseconds, on any hook', () => {
    const place = fresh();
    const hook = { type: 'command', command: 'lint', timeout: 5000 };
    put(
      join(place.repo, '.claude', 'settings.local.json'),
      JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }),
    );
    const found = look(place).of('timeouts');
    expect(
      found.map(({ status, hint, fixable }) => [status, hint.includes('Did you mean 5?'), fixable]),
    ).toEqual([['warn', true, false]]);
  });

  it('a session that would start in a sub-directory', () => {
    const place = fresh();
    expect(look({ ...place, repo: join(place.repo, 'src') }).complaints).toEqual(['warn start_directory']);
    const user = fresh('--scope', 'user');
    expect(look({ ...user, repo: join(user.repo, 'src') }).complaints).toEqual([]);
  });

  it('entries that run twice: settings of two scopes, settings and the plugin', () => {
    const place = fresh();
    guard(fresh('none').repo, place.env, 'init', '--scope', 'user');
    expect(look(place).complaints).toEqual(['warn duplicates']);

    const other = fresh();
    const root = join(other.home, '.claude', 'plugins', 'cache', 'guard');
    put(join(root, 'hooks', 'hooks.json'), text(join(PACKAGE, 'hooks', 'hooks.json')));
    put(join(root, 'hooks', 'guard-hook.cjs'), text(join(PACKAGE, 'hooks', 'guard-hook.cjs')));
    put(join(root, '.claude-plugin', 'plugin.json'), text(join(PACKAGE, '.claude-plugin', 'plugin.json')));
    const installed = { version: 2, plugins: { 'guard@mk': [{ scope: 'user', installPath: root }] } };
    put(join(other.home, '.claude', 'plugins', 'installed_plugins.json'), JSON.stringify(installed));
    expect(look(other).complaints).toEqual([]);
    put(
      join(other.home, '.claude', 'settings.json'),
      JSON.stringify({ enabledPlugins: { 'guard@mk': true } }),
    );
    const told = doctor(other);
    expect(told.complaints).toEqual(['warn duplicates']);
    expect(told.of('live').map(({ status }) => status)).toEqual(['ok', 'ok']);
  });

  it('a mod that could keep guard from being asked, and not one that only draws', () => {
    const place = fresh();
    const mod = (name: string, source: string) => {
      const root = join(place.home, '.claude', 'skills', name);
      put(join(root, '.claude-plugin', 'plugin.json'), JSON.stringify({ name }));
      put(join(root, 'hooks', 'hooks.json'), JSON.stringify({ modules: ['./register.ts'] }));
      put(join(root, 'hooks', 'register.ts'), source);
    };
    mod('pane', `export const register = (on) => on('ui.open', ($, e, next) => next(e));`);
    expect(look(place).complaints).toEqual([]);
    mod('answers', `export const register = (on) => on("classic.PreToolUse", () => ({}));`);
    const told = look(place);
    expect([told.complaints, told.of('mods')[0]?.facts['plugin']]).toEqual([
      ['warn mods'],
      'answers@skills-dir',
    ]);
  });
});
