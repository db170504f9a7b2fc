/** `guard check --staged`, as a hook manager runs it: the answers of guard's pre-commit hook, as text and as JSON. */
import { describe, expect, it } from 'vitest';
import { guard } from '../../install/scratch.ts';
import { sharedIn } from './git-hook.place.ts';
import { places } from './place.ts';

const { fresh } = places();

describe('guard check --staged', { timeout: 120_000 }, () => {
  it('refuses a commit with a file that another agent holds, and names the commit without it', () => {
    const { git, guardAs } = sharedIn(fresh());
    git('add', '-A', 'a', 'b');
    const { code, stdout } = guardAs('me', 'check', '--staged', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'refused',
      files: [{ path: 'a', because: 'hold', holder: 'other', pattern: null, reason: null }],
      own_commit: 'git commit -- b',
    });
    const words = guardAs('me', 'check', '--staged');
    expect([words.code, words.stdout]).toEqual([1, '']);
    expect(words.stderr).toMatch(/LOCKED_BY_OTHER/);
  });

  it('allows the agent’s own files, silently', () => {
    const { git, guardAs } = sharedIn(fresh());
    git('add', 'b');
    expect(guardAs('me', 'check', '--staged')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    git('add', 'a');
    const holder = guardAs('other', 'check', '--staged', '--json');
    expect([holder.code, JSON.parse(holder.stdout)]).toMatchObject([0, { state: 'clear', files: [] }]);
  });

  it('lets a commit pass where guard is not set up, and says so', () => {
    const { repo, env } = fresh();
    const found = guard(repo, env, 'check', '--staged');
    expect([found.code, found.stderr.includes('not set up')]).toEqual([0, true]);
    const json = guard(repo, env, 'check', '--staged', '--json');
    expect(JSON.parse(json.stdout)).toEqual({ state: 'not_set_up', files: [], own_commit: null });
  });

  it('is wrong usage without saying what to check', () => {
    const { repo, env } = fresh();
    const found = guard(repo, env, 'check', '--json');
    expect([found.code, JSON.parse(found.stdout)]).toMatchObject([
      64,
      { error: { code: 'GUARD_ERR_USAGE' } },
    ]);
  });
});
