import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  homeAround,
  isPassing,
  programHome,
  recordedRoot,
  requireOwnPlace,
} from '../../../src/install/program/home.ts';
import { keepProgram } from '../../../src/install/program/keep.ts';
import { readPointer, versionDir } from '../../../src/install/program/pointer.ts';
import { advanceProgram, settleProgram } from '../../../src/install/program/settle.ts';
import { scratchDir } from '../scratch.ts';
import { emptyHome, NOW_MS, program } from './scratch.ts';

describe('the home', () => {
  it.each([
    ['linux', { HOME: '/home/ann' }, '/home/ann/.local/share/guard'],
    ['linux', { HOME: '/home/ann', XDG_DATA_HOME: '/data' }, '/data/guard'],
    ['linux', { HOME: '/home/ann', XDG_DATA_HOME: 'data' }, '/home/ann/.local/share/guard'],
    ['darwin', { HOME: '/Users/ann' }, '/Users/ann/Library/Application Support/guard'],
    ['darwin', { HOME: '/Users/ann', XDG_DATA_HOME: '/data' }, '/data/guard'],
    ['win32', { HOME: '/Users/ann', LOCALAPPDATA: '/local' }, '/local/guard'],
  ] as const)('on %s with %j is %s', (platform, env, home) => {
    expect(programHome(env, platform)).toBe(home);
  });

  it('is neither in the repository nor below /proc', () => {
    expect(() => requireOwnPlace('/repo/data/guard', '/repo')).toThrow(/part of the repository/);
    expect(() => requireOwnPlace('/proc/self/cwd/guard', '/repo')).toThrow(/cannot be used/);
    // As with a relative HOME.
    expect(() => requireOwnPlace('data/guard', process.cwd())).toThrow(/part of the repository/);
    requireOwnPlace('/repository/guard', '/repo');
  });

  it('is not in the repository by way of a link either', () => {
    const [repo, data] = [scratchDir('guard-repo-'), scratchDir('guard-link-')];
    symlinkSync(repo, join(data, 'share'));
    expect(() => requireOwnPlace(join(data, 'share', 'guard'), repo)).toThrow(/part of the repository/);
    symlinkSync('/proc/self/cwd', join(data, 'cwd'));
    expect(() => requireOwnPlace(join(data, 'cwd', 'guard'), process.cwd())).toThrow(/cannot be used/);
  });
});

describe('a guard', () => {
  it.each([
    ['/home/ann/.npm/_npx/1a2b/node_modules/guard', 'npx'],
    ['/home/ann/.cache/pnpm/dlx/1a2b/node_modules/.pnpm/guard@file+x/node_modules/guard', 'pnpm dlx'],
    ['/tmp/bunx-0-guard@latest/node_modules/guard', 'bunx'],
    ['/tmp/xfs-1a2b/dlx-1/node_modules/guard', 'yarn dlx'],
    ['/usr/local/lib/node_modules/guard', 'a global install'],
    ['/home/ann/.nvm/versions/node/v22.1.0/lib/node_modules/guard', 'a global install of one Node version'],
    ['/repo/node_modules/guard', 'a dependency of the project'],
    ['/home/ann/.claude/plugins/cache/guard/guard/0.1.0', 'an installed plugin'],
  ])('in %s (%s) is kept in the home', (root) => {
    expect(isPassing(root)).toBe(true);
    expect(recordedRoot(root, { HOME: '/home/ann', XDG_DATA_HOME: '/data' })).toBe('/data/guard');
  });

  it('in a git checkout, or unpacked somewhere, is used in place', () => {
    const checkout = join(scratchDir('guard-checkout-'), 'node_modules', 'guard');
    mkdirSync(join(checkout, '.git'), { recursive: true });
    for (const root of [checkout, '/opt/guard', '/home/ann/src/guard'])
      expect(recordedRoot(root, { HOME: '/home/ann' })).toBe(root);
  });

  it('that runs from a home goes on record as that home, whatever the environment says now', () => {
    const home = emptyHome();
    settleProgram(program('0.1.0'), home, NOW_MS);
    const pointer = readPointer(home);
    const running = pointer === null ? '' : versionDir(home, pointer);
    expect(homeAround(running)).toBe(home);
    expect(recordedRoot(running, { HOME: '/elsewhere' })).toBe(home);
  });

  it('that a binary unpacked, but could not put into use, fails guard init instead of going on record itself', () => {
    const isSea = vi.spyOn(process.getBuiltinModule('node:sea'), 'isSea').mockReturnValue(true);
    try {
      const home = emptyHome();
      const running = join(home, 'versions', '0.1.0-0123456789ab');
      cpSync(program('0.1.0'), running, { recursive: true });
      // Nothing can be locked there.
      mkdirSync(join(home, 'lock'));
      expect(advanceProgram(running, {}, NOW_MS)).toBeNull();
      const guard_root = recordedRoot(running, {});
      expect(guard_root).toBe(home);
      expect(() => keepProgram({ running, guard_root, repo_root: '/repo' }, NOW_MS)).toThrow();
      expect(existsSync(join(home, 'current.json'))).toBe(false);
    } finally {
      isSea.mockRestore();
    }
  });
});
