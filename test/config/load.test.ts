import { mkdirSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { DEFAULTS, KEYS, SETTING_NAMES, type Settings, variableOf } from '../../src/config/schema.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { errorOf } from '../repo/errors.ts';
import { gitRepo, put, scratchDir } from '../repo/scratch.ts';
import { scene } from './scratch.ts';

describe('with nothing configured', () => {
  it('the standard preset holds, with what guard init fixed', () => {
    const { load, user_file, repo_file } = scene({ ttl_ms: 60_000 });
    rmSync(user_file, { force: true });
    expect(load({})).toEqual({
      preset: 'standard',
      policy: {
        enforcement: 'required',
        ...{ unread: 'changed', commands: 'take', unresolved: 'pass' },
        ...{ ttl_ms: 60_000, idle_ms: 180_000 },
        release_on: 'stop',
        wanted_ms: 120_000,
        ...{ durability: 'process', deadline: 5_000, fence: 'auto', reservation_quota: 64 },
        ...{
          messages_per_minute: 30,
          escalate: 'off',
          lease_scope: 'told',
          victim: 'youngest',
          resolve: 'notify',
        },
      },
      ...{ durability: 'process', fence: 'auto' },
      mcp: { writers: [], readers: [] },
      lock_servers: ['mala-locking'],
      deadline_ms: 5000,
      ...{ roles_dirs: ['.agents/roles'], undo: [{}, {}, {}], archive_keep: [{}, {}, {}] },
      sources: [
        { file: user_file, found: true },
        { file: repo_file, found: true },
      ],
      warnings: [],
    });
  });

  it('missing files are no error, and are said to be missing', () => {
    const root = gitRepo(join(scratchDir(), 'r'));
    const config = loadConfig({ repo: locateRepo(root), env: { HOME: '/nonexistent' } });
    expect(config.policy).toMatchObject({ enforcement: 'required', ttl_ms: 900_000 });
    expect(config.sources.map((it) => it.found)).toEqual([false, false]);
  });

  it('a repository that was set up with the preset auto is auto', () => {
    expect(scene({ enforcement_floor: 'auto' }).load({})).toMatchObject({
      preset: 'auto',
      policy: { enforcement: 'auto' },
    });
  });

  it('without an install.json nothing is assumed: the write must be denied', () => {
    const { load, root } = scene();
    rmSync(join(root, '.git/guard/install.json'));
    expect(errorOf(() => load({}))).toMatchObject({ code: 'GUARD_ERR_STATE_DIR' });
  });
});

describe('layers', () => {
  const { load, root, repo_file, user_file } = scene();

  it('strengthen one after the other, durations in every spelling', () => {
    const config = load({
      user: { unread: 'always', idle: 240 },
      repository: { ttl: '20m', durability: 'fsync' },
      env: { GUARD_RELEASE_ON: 'never', GUARD_IDLE: '300', GUARD_DEADLINE: '1500ms' },
    });
    expect(config.policy).toMatchObject({
      unread: 'always',
      ttl_ms: 1_200_000,
      idle_ms: 300_000,
      release_on: 'never',
    });
    expect(config).toMatchObject({ durability: 'fsync', deadline_ms: 1500, warnings: [] });
  });

  it('a preset is a set of values; keys beside it count for themselves', () => {
    expect(load({ repository: { preset: 'strict' } })).toMatchObject({
      preset: 'strict',
      policy: { unread: 'always' },
    });
    const lessStrict = load({ user: { preset: 'strict', unread: 'changed' } });
    expect(lessStrict).toMatchObject({ preset: 'strict', policy: { unread: 'changed' }, warnings: [] });
  });

  it('MCP tools of all files count together', () => {
    const writer = (tool: string) => ({ tool, paths: ['path'] });
    const config = load({
      user: { mcp: { writers: [writer('mcp__a__w')], readers: [writer('mcp__a__r')] } },
      repository: { mcp: { writers: [writer('mcp__b__*')] } },
    });
    expect(config.mcp).toEqual({
      writers: [writer('mcp__a__w'), writer('mcp__b__*')],
      readers: [{ ...writer('mcp__a__r'), own: true }],
    });
  });

  it('a weaker value in the repository is ignored and reported with its line', () => {
    const config = load({ repository: '{\n  "idle": "10m",\n  "unread": "off"\n}' });
    expect(config.policy).toMatchObject({ idle_ms: 600_000, unread: 'changed' });
    expect(config.warnings).toMatchObject([
      { key: 'unread', wanted: 'off', kept: 'changed', source: repo_file, line: 3 },
    ]);
  });

  it('a weaker preset in the repository is not taken, its stronger companions are', () => {
    const config = load({ repository: { preset: 'auto', ttl: '1h' } });
    expect(config).toMatchObject({
      preset: 'standard',
      policy: { enforcement: 'required', ttl_ms: 3_600_000 },
    });
    expect(config.warnings).toMatchObject([
      { key: 'enforcement', wanted: 'auto', kept: 'required', line: 1 },
    ]);
  });

  it('the environment cannot switch guard off', () => {
    const config = load({
      env: { GUARD_ENFORCEMENT: 'off', GUARD_UNREAD: 'off', GUARD_TTL: '10s', GUARD_PRESET: 'auto' },
    });
    expect(config.policy).toMatchObject({ enforcement: 'required', unread: 'changed', ttl_ms: 900_000 });
    expect(config.warnings.map((it) => [it.key, it.source])).toEqual([
      ['enforcement', 'environment'],
      ['unread', 'environment'],
      ['ttl', 'environment'],
    ]);
  });

  it('the user may weaken what is theirs, but not what guard init fixed for everybody', () => {
    const config = load({
      user: { unread: 'off', idle: '10s', enforcement: 'off', release_on: 'stop', ttl: '1m' },
    });
    expect(config.policy).toMatchObject({
      unread: 'off',
      idle_ms: 10_000,
      enforcement: 'required',
      ttl_ms: 900_000,
    });
    expect(config.warnings.map((it) => [it.key, it.source])).toEqual([
      ['enforcement', user_file],
      ['ttl', user_file],
    ]);
  });

  it('a repository that guard init made strict stays strict, whatever the user has set for all', () => {
    const strict = scene({ unread_floor: 'always' });
    const policy = { unread: 'always', commands: 'required', unresolved: 'deny' };
    expect(strict.load({})).toMatchObject({ preset: 'strict', policy });
    const config = strict.load({ user: { preset: 'standard' } });
    expect(config).toMatchObject({ preset: 'strict', policy });
    expect(config.warnings.map(({ key }) => key)).toEqual(['unread', 'commands', 'unresolved']);
    expect(strict.load({ user: { unread: 'off', allow_weaker: true } }).policy.unread).toBe('off');
  });

  it('a place where a configuration cannot be, because a file is in the way, has none', () => {
    put(join(root, '../no-home'), '');
    expect(load({ env: { HOME: join(root, '../no-home') } }).sources[0]).toMatchObject({ found: false });
  });

  it('"allow_weaker" of the user opens all of it, for the repository and the environment too', () => {
    const config = load({
      user: { allow_weaker: true, enforcement: 'auto' },
      repository: { unread: 'off' },
      env: { GUARD_TTL: '1m', GUARD_ENFORCEMENT: 'off' },
    });
    expect(config.policy).toMatchObject({ enforcement: 'off', unread: 'off', ttl_ms: 60_000 });
    expect(config.warnings).toEqual([]);
  });

  it('the repository and the environment never weaken anything, whatever they say', () => {
    const duration = fc.constantFrom('10s', '30s', '3m', '15m', 3600, '24h');
    const values = fc.record(
      {
        preset: fc.constantFrom('auto', 'standard', 'strict'),
        enforcement: fc.constantFrom('off', 'auto', 'required'),
        unread: fc.constantFrom('off', 'changed', 'always'),
        ttl: duration,
        idle: duration,
        release_on: fc.constantFrom('stop', 'session_end', 'never'),
        durability: fc.constantFrom('process', 'fsync'),
      },
      { requiredKeys: [] },
    );
    const variables = (layer: object): Record<string, string> =>
      Object.fromEntries(
        ['preset', ...SETTING_NAMES]
          .filter((name) => name in layer)
          .map((name) => [variableOf(name), String((layer as Record<string, unknown>)[name])]),
      );
    const settings = (config: ReturnType<typeof load>): Settings => {
      const { ttl_ms, idle_ms, victim, resolve, ...rest } = config.policy;
      return {
        ...DEFAULTS,
        ...rest,
        ttl: ttl_ms,
        idle: idle_ms,
        durability: config.durability,
        deadline: config.deadline_ms,
        deadlock_victim: victim,
        deadlock_resolve: resolve,
      };
    };
    fc.assert(
      fc.property(values, values, values, (user, repository, env) => {
        const before = settings(load({ user }));
        const after = settings(load({ user, repository, env: variables(env) }));
        const weaker = SETTING_NAMES.filter((name) =>
          (KEYS[name].isWeaker as (a: unknown, b: unknown) => boolean)(after[name], before[name]),
        );
        expect(weaker).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a bad configuration is an error, never a default', () => {
  const { load, repo_file, user_file, root } = scene();
  const failure = (places: Parameters<typeof load>[0]): unknown => errorOf(() => load(places));

  it('in the environment: the variable is named', () => {
    expect(failure({ env: { GUARD_TTL: 'soon' } })).toMatchObject({
      code: 'GUARD_ERR_CONFIG',
      facts: { variable: 'GUARD_TTL' },
    });
    expect(failure({ env: { GUARD_PRESET: 'Standard' } })).toMatchObject({
      code: 'GUARD_ERR_CONFIG',
      hint: 'Did you mean "standard"?',
    });
    expect(failure({ env: { GUARD_TTL: '' } })).toBeNull();
  });

  it('in either file, with file, line and column', () => {
    expect(failure({ user: '{\n "ttl": true}' })).toMatchObject({
      code: 'GUARD_ERR_CONFIG',
      facts: { file: user_file, line: 2, column: 2 },
    });
    expect(failure({ repository: '{"allow_weaker": true}' })).toMatchObject({
      facts: { file: repo_file, line: 1, column: 2 },
    });
  });

  it('when the file is a directory or a FIFO, at once', () => {
    load({});
    rmSync(repo_file);
    execFileSync('mkfifo', [repo_file]);
    const start = performance.now();
    const call = (): unknown => loadConfig({ repo: locateRepo(root), env: { HOME: '/nonexistent' } });
    expect(errorOf(call)).toMatchObject({ code: 'GUARD_ERR_CONFIG' });
    rmSync(repo_file);
    mkdirSync(repo_file);
    expect(errorOf(call)).toMatchObject({ code: 'GUARD_ERR_CONFIG' });
    expect(performance.now() - start).toBeLessThan(500);
    rmSync(repo_file, { recursive: true });
  });
});
