import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guard, PACKAGE, put, text } from '../../install/scratch.ts';
import { doctor, look, patients } from './patient.ts';

const fresh = patients();

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
      '{"hooks":{"Stop":[{"matcher":3,"hooks":[]}]}}',
      'hooks.Stop[0].matcher',
    ],
    [
      'a timeout that is a text',
      'settings.local.json',
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":"5"}]}]}}',
      'timeout',
    ],
    [
      'an unknown hook type',
      'settings.local.json',
      '{"hooks":{"Stop":[{"hooks":[{"type":"shell","command":"x"}]}]}}',
      'hooks[0].type',
    ],
    [
      'an event that no client knows',
      'settings.local.json',
      '{"hooks":{"PreToolUsed":[]}}',
      'hooks.PreToolUsed',
    ],
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

  it('disableAllHooks', () => {
    const place = fresh();
    put(join(place.repo, '.claude', 'settings.local.json'), '{"disableAllHooks": true}');
    expect(look(place).complaints).toContain('fail disabled');
  });

  it.each(['GUARD_PRESET', 'NODE_OPTIONS', 'PATH', 'LD_PRELOAD'])('env.%s in a settings file', (name) => {
    const place = fresh();
    put(
      join(place.repo, '.claude', 'settings.local.json'),
      JSON.stringify({ env: { [name]: 'x', HARMLESS: 'y' } }),
    );
    const [found] = look(place).of('environment');
    expect([found?.status, found?.facts['variable']]).toEqual(['fail', name]);
  });

  it('a timeout that looks like milliseconds, of anybody', () => {
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
