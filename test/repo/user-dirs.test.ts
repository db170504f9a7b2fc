import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { borrowedVariables, userConfigFile, userStateDir } from '../../src/repo/user-dirs.ts';
import { gitRepo, scratchDir } from './scratch.ts';

describe('variables that name the own directories', () => {
  const root = gitRepo(join(scratchDir(), 'r'));
  const home = scratchDir();
  const link = join(scratchDir(), 'link');
  fs.symlinkSync(root, link);

  it.each([
    ['below /proc', '/proc/self/cwd/st'],
    ['in a checkout', join(root, 'st')],
    ['in a checkout, behind a link', join(link, 'st')],
    ['in a directory that is not there yet', join(root, 'a/b/c')],
  ])('%s are ignored', (_, value) => {
    expect(userStateDir({ HOME: home, XDG_STATE_HOME: value }, 'linux')).toBe(`${home}/.local/state/guard`);
    expect(userConfigFile({ HOME: home, XDG_CONFIG_HOME: value })).toBe(`${home}/.config/guard/config.json`);
    expect(userStateDir({ HOME: value }, 'linux')).toBe(userStateDir({}, 'linux'));
    expect(borrowedVariables({ HOME: value, XDG_STATE_HOME: value })).toEqual(['HOME', 'XDG_STATE_HOME']);
  });

  it('in the directory that the session works in are ignored, git or not', () => {
    const dir = scratchDir();
    const session = { HOME: home, CLAUDE_PROJECT_DIR: dir, XDG_STATE_HOME: join(dir, 'st') };
    expect(userStateDir(session, 'linux')).toBe(`${home}/.local/state/guard`);
  });

  it('are looked at once for an environment: an event asks five times', () => {
    const base = scratchDir();
    const env = { HOME: home, XDG_STATE_HOME: join(base, 'st') };
    expect(userStateDir(env, 'linux')).toBe(`${base}/st/guard`);
    gitRepo(base);
    expect(userStateDir(env, 'linux')).toBe(`${base}/st/guard`);
    expect(userStateDir({ ...env }, 'linux')).toBe(`${home}/.local/state/guard`);
    const elsewhere = Object.assign(env, { XDG_STATE_HOME: join(root, 'st') });
    expect(userStateDir(elsewhere, 'linux')).toBe(`${home}/.local/state/guard`);
  });

  it('elsewhere hold, also where there is nothing yet', () => {
    expect(userStateDir({ HOME: home, XDG_STATE_HOME: join(home, 'x/y') }, 'linux')).toBe(
      `${home}/x/y/guard`,
    );
    expect(borrowedVariables({ HOME: home, CLAUDE_PROJECT_DIR: root })).toEqual([]);
  });
});
