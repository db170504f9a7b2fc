/** Who may say where the shared ledger is: the user's own configuration, and the environment only where that allows it. */
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadEngine, redirecting } from '../../src/config/engine.ts';
import { isGuardError } from '../../src/core/error.ts';
import { accountHome } from '../../src/repo/account.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { git, put } from '../repo/scratch.ts';
import { scene } from './scratch.ts';

const OWN = 'postgres://agents@own.example/guard';
const OTHER = 'postgres://agents@other.example/guard';
const GIVEN = { GUARD_ENGINE: OTHER, GUARD_MACHINE_ID: 'm-other' };

function place(user: object) {
  const { root, home, user_file } = scene();
  put(user_file, JSON.stringify({ engine: OWN, ...user }));
  const file = (name: string): string => join(root, '.claude', name);
  const load = (env: Readonly<Record<string, string>>, from = root) =>
    loadEngine(locateRepo(from), { HOME: home, ...env });
  const failure = (env: Readonly<Record<string, string>>, from = root) => {
    try {
      return load(env, from);
    } catch (error) {
      return isGuardError(error) ? { code: error.code, facts: error.facts } : error;
    }
  };
  return { root, home, file, load, failure };
}

test('a variable that leads to where the account has its files anyway redirects nothing', () => {
  const home = accountHome();
  const usual = { HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
  expect(redirecting({ ...usual, XDG_STATE_HOME: join(home, '.local/state') }, 'linux')).toEqual([]);
  expect(redirecting({ ...usual, XDG_STATE_HOME: join(home, '.local/state') }, 'darwin')).toEqual([
    'XDG_STATE_HOME',
  ]);
  expect(redirecting({ ...usual, LOCALAPPDATA: join(home, 'AppData/Local') }, 'win32')).toEqual([]);
  expect(redirecting({ ...usual, LOCALAPPDATA: '/elsewhere' }, 'win32')).toEqual(['LOCALAPPDATA']);
  expect(redirecting({ ...usual, LOCALAPPDATA: '/elsewhere' }, 'linux')).toEqual([]);
  expect(redirecting({ HOME: '/other', XDG_CONFIG_HOME: '/other/.config' }, 'linux')).toEqual([
    'HOME',
    'XDG_CONFIG_HOME',
  ]);
});

describe('the address of a shared ledger', () => {
  test.each(['settings.json', 'settings.local.json', '.envrc', 'package.json'])(
    'comes from the user, whatever %s gives to the process',
    (name) => {
      const { root, file, load } = place({});
      const at = name.startsWith('settings') ? file(name) : join(root, name);
      put(at, JSON.stringify({ env: GIVEN, scripts: { guard: `GUARD_ENGINE=${OTHER} guard status` } }));
      expect(load(GIVEN)).toMatchObject({ url: OWN, machine: null });
    },
  );

  test('comes from the environment if the user says so', () => {
    const { file, load } = place({ engine_from_environment: true });
    expect(load(GIVEN)).toMatchObject({ url: OTHER, machine: 'm-other' });
    put(file('settings.json'), JSON.stringify({ env: { NODE_ENV: 'test' } }));
    expect(load(GIVEN)).toMatchObject({ url: OTHER, machine: 'm-other' });
  });

  test.each([
    ['settings.json', 'GUARD_ENGINE'],
    ['settings.local.json', 'GUARD_ENGINE'],
    ['settings.json', 'GUARD_MACHINE_ID'],
    ['settings.local.json', 'GUARD_MACHINE_ID'],
  ])('does not come from %s of the checkout even then: %s', (name, variable) => {
    const { file, failure } = place({ engine_from_environment: true });
    const escaped = variable.replace('_', '\\u005f');
    put(file(name), `\uFEFF{"env":{"${escaped}":"x"}}`);
    const refused = { code: 'GUARD_ERR_CONFIG', facts: { file: file(name), variable } };
    expect(failure(GIVEN)).toMatchObject(refused);
    // Without the variable nothing is in doubt.
    expect(failure({})).toMatchObject({ url: OWN, machine: null });
  });

  test('does not come from settings that cannot be read, of the session’s directory, or of the main checkout', () => {
    const { root, file, failure } = place({ engine_from_environment: true });
    put(file('settings.json'), '{"env":');
    expect(failure(GIVEN)).toMatchObject({ code: 'GUARD_ERR_CONFIG' });
    put(file('settings.json'), '{}');
    const below = join(root, 'pkg');
    put(join(below, '.claude/settings.json'), JSON.stringify({ env: GIVEN }));
    expect(failure({ ...GIVEN, CLAUDE_PROJECT_DIR: below })).toMatchObject({ code: 'GUARD_ERR_CONFIG' });
    // A command of that session is not told where it began.
    expect(failure({ ...GIVEN, PWD: join(below, 'src') })).toMatchObject({ code: 'GUARD_ERR_CONFIG' });
    put(file('settings.local.json'), JSON.stringify({ env: GIVEN }));
    const linked = join(dirname(root), 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    expect(failure(GIVEN, linked)).toMatchObject({ facts: { file: file('settings.local.json') } });
  });

  test.each(['HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'])(
    'does not come from a user configuration that the checkout chose by %s',
    (variable) => {
      const { root, home, file, load, failure } = place({});
      const elsewhere = join(dirname(root), 'elsewhere');
      const env = { [variable]: variable === 'HOME' ? home : elsewhere };
      put(join(elsewhere, 'guard/config.json'), JSON.stringify({ engine: OTHER }));
      // The person's own shell may set it.
      expect(load(env).url).toBe(variable === 'XDG_CONFIG_HOME' ? OTHER : OWN);
      put(file('settings.local.json'), JSON.stringify({ env }));
      expect(failure(env)).toMatchObject({ code: 'GUARD_ERR_CONFIG', facts: { variable } });
      // It did not reach this process.
      if (variable !== 'HOME') expect(load({})).toMatchObject({ url: OWN });
    },
  );
});
