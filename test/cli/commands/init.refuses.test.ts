import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guard, PROGRAM, put, text } from '../../install/scratch.ts';
import { everything, places } from './place.ts';

const { fresh } = places();

describe('guard init refuses, and changes nothing', () => {
  it.each([
    ['a comment', '{\n  // mine\n  "model": "x"\n}\n', ':2:3'],
    ['a trailing comma', '{\n  "model": "x",\n}\n', ':2:15'],
    ['invalid JSON', '{\n  "model" "x"\n}\n', ':2:11'],
    ['a list', '[]\n', ':1:1'],
    ['hooks of another shape', '{"hooks": []}', ':1:11'],
  ])('%s, with line and column', (_what, content, place) => {
    const { repo, run } = fresh(content);
    const original = everything(repo);
    const { code, stderr, stdout } = run('init', '--json');
    expect([code, stderr.includes(`settings.json${place}`)]).toEqual([2, true]);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'GUARD_ERR_SETTINGS' } });
    expect(everything(repo)).toEqual(original);
    expect(existsSync(join(repo, '.git', 'guard'))).toBe(false);
  });

  it.each([
    ['{"env": 5}\n', 'env'],
    ['{"permissions": {"defaultMode": "nope"}}\n', 'permissions.defaultMode'],
    ['{"hooks": {"PreToolUse": [{"hooks": [{"type": "prompt"}]}]}}\n', 'hooks.PreToolUse[0].hooks[0].prompt'],
  ])('a file that the client would drop, hooks included: %s', (content, at) => {
    const { repo, run } = fresh(content);
    const original = everything(repo);
    const { code, stdout } = run('init', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([2, { error: { code: 'GUARD_ERR_SETTINGS' } }]);
    expect(stdout).toContain(at);
    expect(everything(repo)).toEqual(original);
  });

  it('nothing for another file that the client drops, and names it', () => {
    const { repo, run } = fresh('{}\n');
    put(join(repo, '.claude', 'settings.local.json'), '{"model": 5}\n');
    const { code, stderr } = run('init');
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/settings\.local\.json, model: .*drops/) as string,
    ]);
  });

  it('a read-only file', () => {
    const { repo, file, run } = fresh('{}\n');
    chmodSync(file, 0o444);
    expect(run('init')).toMatchObject({ code: 2, stderr: expect.stringContaining('read-only') as string });
    expect([text(file), existsSync(join(repo, '.git', 'guard'))]).toEqual(['{}\n', false]);
  });

  it('a home directory that is no repository', () => {
    const { home, env } = fresh();
    expect(guard(home, env, 'init').code).toBe(2);
    expect(readdirSync(home)).toEqual([]);
  });

  it('wrong usage', () => {
    const { run } = fresh();
    expect([
      run('init', '--scope', 'team').code,
      run('init', '--preset', 'x').code,
      run('init', 'x').code,
    ]).toEqual([64, 64, 64]);
  });
});

describe('guard init has no business with', () => {
  it('settings of this machine that are broken, where it needs nothing in them', () => {
    const { repo, env } = fresh();
    const bin = join(repo, '..', 'global bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(PROGRAM, join(bin, 'guard'));
    const local = put(join(repo, '.claude', 'settings.local.json'), '{ broken');
    const linked = { ...env, PATH: `${bin}:${env['PATH'] ?? ''}` };
    expect(guard(repo, linked, 'init').code).toBe(0);
    expect([text(local), existsSync(join(repo, '.claude', 'settings.json'))]).toEqual(['{ broken', true]);
  });

  it("the user's own settings, in scope project", () => {
    const { home, run } = fresh();
    const own = put(join(home, '.claude', 'settings.json'), '{ broken');
    expect([run('init').code, text(own)]).toEqual([0, '{ broken']);
  });
});
