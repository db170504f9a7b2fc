import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, run } from '../../install/scratch.ts';
import { hooked, type Hooked, script, sharedIn } from './git-hook.place.ts';
import { places } from './place.ts';

const { fresh } = places();
const shared = (): Hooked => sharedIn(fresh());

const last = ({ git }: Hooked): string[] =>
  git('show', '--format=', '--name-only', 'HEAD').stdout.trim().split('\n');

describe('a commit', { timeout: 120_000 }, () => {
  it('with a file that another agent holds is refused, with the list and the narrower command', () => {
    const place = shared();
    const { as, git } = place;
    const before = git('rev-parse', 'HEAD').stdout;
    const refused = as('me', 'commit', '-qam', 'all');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/LOCKED_BY_OTHER/);
    expect(refused.stderr).toMatch(/^ {2}a: locked by other since \d{4}-\d\d-\d\dT/m);
    expect(refused.stderr).toContain('git commit -- b c');
    expect(refused.stderr).not.toContain('refusedgit');
    expect(git('rev-parse', 'HEAD').stdout).toBe(before);
    expect(as('me', 'commit', '-qm', 'mine', '--', 'b', 'c').code).toBe(0);
    expect(last(place)).toEqual(['b', 'c']);
  });

  it('by its holder passes, and by anyone once the file is released', () => {
    const place = shared();
    expect(place.as('other', 'commit', '-qm', 'theirs', '--', 'a').code).toBe(0);
    put(join(place.repo, 'a'), 'three\n');
    expect(place.as('me', 'commit', '-qm', 'mine', '--', 'a').code).toBe(1);
    expect(place.guardAs('other', 'lock', 'release', 'a').code).toBe(0);
    expect(place.as('me', 'commit', '-qm', 'mine', '--', 'a').code).toBe(0);
  });

  it('by a person is refused too, and passes with --no-verify, which the refusal mentions', () => {
    const { git } = shared();
    const refused = git('commit', '-qam', 'all');
    expect([refused.code, refused.stderr.includes('git commit --no-verify')]).toEqual([1, true]);
    expect(git('commit', '--no-verify', '-qam', 'all').code).toBe(0);
  });

  it('under a reservation of another agent is refused with its reason', () => {
    const { as, guardAs } = shared();
    expect(guardAs('third', 'reserve', 'c*', '--reason', 'the great move').code).toBe(0);
    const refused = as('me', 'commit', '-qm', 'c', '--', 'c');
    expect([refused.code, refused.stderr.includes('the great move')]).toEqual([1, true]);
    expect(as('third', 'commit', '-qm', 'c', '--', 'c').code).toBe(0);
  });

  it('takes what others only read', () => {
    const { as, guardAs } = shared();
    expect(guardAs('third', 'lock', 'try', '--shared', 'b').code).toBe(0);
    expect(as('me', 'commit', '-qm', 'b', '--', 'b').code).toBe(0);
  });

  it('that removes or renames a held file is refused', () => {
    const { as, git } = shared();
    git('checkout', '-q', '--', 'a');
    git('mv', 'a', 'z');
    const refused = as('me', 'commit', '-qm', 'moved');
    expect([refused.code, /^ {2}a: locked by other/m.test(refused.stderr)]).toEqual([1, true]);
  });

  it('is checked by its own index, so other staged files do not matter', () => {
    const { as, git } = shared();
    git('add', 'a');
    expect(as('me', 'commit', '-qm', 'b', '--', 'b').code).toBe(0);
    expect(as('me', 'commit', '-qm', 'rest').code).toBe(1);
  });

  it('is checked even if it is the first one', () => {
    const place = hooked(fresh());
    place.git('checkout', '-q', '--orphan', 'new');
    expect(place.git('rev-parse', '-q', '--verify', 'HEAD').code).toBe(1);
    put(join(place.repo, 'a'), 'one\n');
    place.guardAs('other', 'lock', 'try', 'a');
    place.git('add', 'a');
    expect(place.as('me', 'commit', '-qm', 'first').code).toBe(1);
    expect(place.as('other', 'commit', '-qm', 'first').code).toBe(0);
  });

  it('in a linked worktree is checked by the files of that worktree', () => {
    const { repo, env, git, guardAs } = shared();
    const tree = `${repo} tree`;
    expect(git('worktree', 'add', '-q', '--detach', tree).code).toBe(0);
    put(join(tree, 'a'), 'tree\n');
    const commit = () =>
      run('git', ['commit', '-qam', 't'], { cwd: tree, env: { ...env, GUARD_AGENT_ID: 'me' } });
    expect(guardAs('other', 'lock', 'try', join(tree, 'a')).code).toBe(0);
    const refused = commit();
    expect([refused.code, /^ {2}a: locked by other/m.test(refused.stderr)]).toEqual([1, true]);
    guardAs('other', 'lock', 'release', join(tree, 'a'));
    // The main checkout's `a` is still held.
    expect(commit().code).toBe(0);
  });

  it('that ends a merge takes what comes from the other branch, and not what was changed here', () => {
    const { repo, git, as } = shared();
    git('checkout', '-q', '--', '.');
    git('checkout', '-qb', 'side');
    put(join(repo, 'a'), 'side\n');
    put(join(repo, 'b'), 'side\n');
    git('commit', '--no-verify', '-qam', 'side');
    git('checkout', '-q', '-');
    put(join(repo, 'b'), 'main\n');
    git('commit', '-qm', 'main', '--', 'b');
    expect(git('merge', 'side').code).toBe(1);
    put(join(repo, 'b'), 'both\n');
    git('add', 'b');
    put(join(repo, 'a'), 'mixed\n');
    git('add', 'a');
    const refused = as('me', 'commit', '-qm', 'merged');
    expect([refused.code, refused.stderr.includes('Commit without them')]).toEqual([1, false]);
    put(join(repo, 'a'), 'side\n');
    git('add', 'a');
    expect(as('me', 'commit', '-qm', 'merged').code).toBe(0);
  });

  it('of files with odd names is listed on one line each, and named as the shell takes it', () => {
    const place = shared();
    const { repo, git, as, guardAs } = place;
    git('checkout', '-q', '--', '.');
    const [evil, quoted, magic] = ['new\nline\u001b[31m', "it's mine", 'x[1]*'];
    for (const name of [evil, quoted, magic]) put(join(repo, name), 'one\n');
    guardAs('other', 'lock', 'try', join(repo, evil));
    git('add', '-A', '--', evil, quoted, magic);
    const refused = as('me', 'commit', '-qm', 'odd');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('  new\\x0aline\\x1b[31m: locked by other');
    const [, own = ''] = /^Commit without them: (.*)$/m.exec(refused.stderr) ?? [];
    expect(own).toContain("'it'\\''s mine'");
    const env = { ...place.env, GUARD_AGENT_ID: 'me' };
    expect(run('sh', ['-c', own.replace(' commit ', ' commit -qm odd ')], { cwd: repo, env }).code).toBe(0);
    expect(last(place).length).toBe(2);
  });

  it('of a name that is not UTF-8 passes', () => {
    const { repo, env, as } = shared();
    run('sh', ['-c', 'printf x > "$(printf "n\\351")" && git add n*'], { cwd: repo, env });
    expect(as('me', 'commit', '-qm', 'latin').code).toBe(0);
  });

  it('of a link is checked by the link, not its target', () => {
    const { repo, git, as } = shared();
    symlinkSync('a', join(repo, 'to-a'));
    git('add', 'to-a');
    expect(as('me', 'commit', '-qm', 'link').code).toBe(0);
  });

  it('from a directory below names files as they are typed there', () => {
    const { repo, env, git } = shared();
    put(join(repo, 'sub', 'd'), 'one\n');
    git('add', '-A', '--', 'a', 'sub');
    const refused = run('git', ['commit', '-qm', 'x'], { cwd: join(repo, 'sub'), env });
    expect([refused.code, refused.stderr.includes('git commit -- d\n')]).toEqual([1, true]);
  });
});

describe('a commit that guard does not check', { timeout: 120_000 }, () => {
  it('passes while guard is off, and says so', () => {
    const { state, git } = shared();
    const now = Date.now();
    put(
      join(state, 'off.json'),
      JSON.stringify({ since_wall_ms: now - 1000, until_wall_ms: now + 60_000, by: 'me' }),
    );
    const passed = git('commit', '-qam', 'all');
    expect([passed.code, passed.stderr.includes('not checked')]).toEqual([0, true]);
  });

  it('passes if the program is gone, or only half there', () => {
    const { repo, hook, git } = shared();
    const program = join(repo, '..', 'gone guard.mjs');
    const body = run('sed', [`s|^guard=.*|guard="${program}"|`, hook], { cwd: repo, env: {} }).stdout;
    script(hook, body.replace('#!/bin/sh\n', ''));
    const gone = git('commit', '-qm', 'a', '--', 'a');
    expect([gone.code, gone.stderr.includes('not checked')]).toEqual([0, true]);
    put(program, 'import "./nothing-here.mjs";\n');
    const broken = git('commit', '-qm', 'rest', '--', 'b');
    expect([broken.code, broken.stderr.includes('not checked')]).toEqual([0, true]);
  });

  it('is refused if guard is present and cannot check it', () => {
    const { state, git } = shared();
    put(join(state, 'install.json'), '{ broken');
    const refused = git('commit', '-qam', 'all');
    expect([refused.code, refused.stderr.includes('--no-verify')]).toEqual([1, true]);
  });

  it('passes after the ledger was removed along with the rest of guard', () => {
    const { repo, hook, git, run: guard } = shared();
    expect(guard('uninstall', '--purge').code).toBe(0);
    expect(existsSync(hook)).toBe(false);
    rmSync(join(repo, '.claude'), { recursive: true, force: true });
    expect(git('commit', '-qam', 'all').code).toBe(0);
  });
});
