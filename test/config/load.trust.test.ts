import { chownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { git, put, scratchDir } from '../repo/scratch.ts';
import { scene } from './scratch.ts';

describe('whose word it is', () => {
  it('a "user" configuration inside the repository, pointed at by its environment, weakens nothing', () => {
    const { load, root } = scene();
    put(
      join(root, 'evil/guard/config.json'),
      '{"allow_weaker": true, "unread": "off", "enforcement": "off"}',
    );
    for (const env of [{ XDG_CONFIG_HOME: join(root, 'evil') }, { HOME: join(root, 'evil-home') }]) {
      put(join(root, 'evil-home/.config/guard/config.json'), '{"allow_weaker": true, "unread": "off"}');
      const config = load({ env, repository: { unread: 'off', idle: '5s' } });
      expect(config.policy).toMatchObject({ enforcement: 'required', unread: 'changed', idle_ms: 180_000 });
      // guard does not even read a configuration there.
      expect(config.warnings.map((it) => it.key)).toEqual(['unread', 'idle']);
    }
  });

  it('nor one in another checkout of it, or behind a link from outside', () => {
    const { load, root, home } = scene();
    git(root, 'worktree', 'add', '-q', join(home, '../wt'));
    put(join(home, '../wt/guard/config.json'), '{"allow_weaker": true, "unread": "off"}');
    expect(load({ env: { XDG_CONFIG_HOME: join(home, '../wt') } }).policy.unread).toBe('changed');
    put(join(root, 'evil.json'), '{"allow_weaker": true, "unread": "off"}');
    mkdirSync(join(home, 'x/guard'), { recursive: true });
    symlinkSync(join(root, 'evil.json'), join(home, 'x/guard/config.json'));
    expect(load({ env: { XDG_CONFIG_HOME: join(home, 'x') } }).policy.unread).toBe('changed');
  });

  it.runIf(process.getuid?.() === 0)('nor one of another user', () => {
    const { load, home } = scene();
    const file = put(join(home, 'x/guard/config.json'), '{"allow_weaker": true, "unread": "off"}');
    chownSync(file, 12_345, 12_345);
    expect(load({ env: { XDG_CONFIG_HOME: join(home, 'x') } }).policy.unread).toBe('changed');
  });

  it('a relative XDG_CONFIG_HOME is ignored, as its specification says', () => {
    const { load, user_file } = scene();
    expect(load({ env: { XDG_CONFIG_HOME: 'evil' } }).sources[0]).toEqual({ file: user_file, found: true });
  });

  it('a linked worktree has the configuration of its own checkout', () => {
    const { load, root, home } = scene();
    load({ repository: { unread: 'always' } });
    const wt = join(home, '../wt');
    git(root, 'worktree', 'add', '-q', wt);
    const env = { HOME: home };
    expect(loadConfig({ repo: locateRepo(wt), env }).policy.unread).toBe('changed');
    put(join(wt, 'guard.config.json'), '{"ttl": "1h"}');
    expect(loadConfig({ repo: locateRepo(wt), env }).policy).toMatchObject({
      unread: 'changed',
      ttl_ms: 3_600_000,
    });
  });

  it('a directory that was never initialised has no say', () => {
    const dir = scratchDir();
    put(join(dir, 'guard.config.json'), 'not even JSON');
    expect(loadConfig({ repo: locateRepo(dir), env: { HOME: dir } }).policy.enforcement).toBe('required');
  });
});
