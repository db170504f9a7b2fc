import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, gitRepo, guard, json, PACKAGE, put, run as start, text } from '../../install/scratch.ts';
import { places } from './place.ts';

const { base, fresh } = places();

/** One event, through the hook that the settings would run. */
function fire(repo: string, env: Record<string, string>, event: object) {
  const input = `${JSON.stringify({ session_id: 's1', transcript_path: '/t', cwd: repo, ...event })}\n`;
  return start(process.execPath, [join(PACKAGE, 'dist', 'hook.cjs')], {
    cwd: repo,
    env: { ...env, CLAUDE_PROJECT_DIR: repo },
    input,
  });
}

describe('guard uninstall', () => {
  it('keeps the ledger, and init takes it up again', () => {
    const { repo, env, run, state } = fresh();
    const kept = `${state}.uninstalled`;
    run('init');
    fire(repo, env, { hook_event_name: 'SessionStart', source: 'startup' });
    const records = () => run('log', '--json').stdout.trim().split('\n').length;
    const before = records();
    expect(run('uninstall').stderr).toContain(kept);
    expect([existsSync(state), existsSync(join(kept, 'undo.json'))]).toEqual([false, false]);
    expect(run('status').code).toBe(2);
    expect(run('init').code).toBe(0);
    // One more record, that of the uninstall.
    expect([existsSync(kept), records()]).toEqual([false, before + 1]);
    expect(run('log', '--json').stdout).toContain('"what":"uninstall"');
    expect(run('verify').code).toBe(0);
  });

  it('--purge leaves nothing', () => {
    const { repo, env, run } = fresh();
    run('init');
    fire(repo, env, { hook_event_name: 'SessionStart', source: 'startup' });
    expect(run('uninstall', '--purge').code).toBe(0);
    expect(readdirSync(join(repo, '.git')).filter((name) => name.startsWith('guard'))).toEqual([]);
  });

  it('passes the veto in a session that runs, where the same change by an agent does not', () => {
    const { repo, env, run } = fresh();
    const file = put(join(repo, '.claude', 'settings.json'), '{\n  "model": "opus"\n}\n');
    const original = text(file);
    run('init');
    const installed = text(file);
    fire(repo, env, { hook_event_name: 'SessionStart', source: 'startup' });
    const change = { hook_event_name: 'ConfigChange', source: 'project_settings', file_path: file };
    put(file, original);
    expect(fire(repo, env, change).code).toBe(2);
    put(file, installed);
    expect(fire(repo, env, change).code).toBe(0);
    expect(run('uninstall').code).toBe(0);
    expect([text(file), fire(repo, env, change).code]).toEqual([original, 0]);
  });

  it('--dry-run shows what would go, and changes nothing', () => {
    const { repo, run } = fresh();
    run('init');
    const before = text(join(repo, '.claude', 'settings.json'));
    const { code, stdout } = run('uninstall', '--dry-run');
    expect([code, stdout.includes('-    "PreToolUse": [')]).toEqual([0, true]);
    expect(text(join(repo, '.claude', 'settings.json'))).toBe(before);
  });

  it('is not for agents', () => {
    const { repo, env, run, state } = fresh();
    run('init');
    for (const agent of [{ CLAUDECODE: '1' }, { CLAUDE_CODE_SESSION_ID: 's' }, { CLAUDE_SESSION_ID: 's' }]) {
      expect(guard(repo, { ...env, ...agent }, 'uninstall').code).toBe(64);
    }
    expect(existsSync(state)).toBe(true);
  });

  it('where guard never was, changes nothing and says so', () => {
    const { repo, run } = fresh();
    const file = put(
      join(repo, '.claude', 'settings.json'),
      '{ "permissions": {"allow": ["Bash(guard lock:*)"]} }',
    );
    expect(run('uninstall')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('not set up') as string,
    });
    expect(JSON.parse(run('uninstall', '--json').stdout)).toMatchObject({ changed: false });
    expect(text(file)).toBe('{ "permissions": {"allow": ["Bash(guard lock:*)"]} }');
  });

  it('refuses to touch settings that were broken meanwhile, before it changes anything', () => {
    const { repo, run, state } = fresh();
    run('init');
    const file = join(repo, '.claude', 'settings.json');
    put(file, text(file).replace('"hooks": {', '"hooks": { // mine'));
    expect(run('uninstall')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('settings.json:2:14') as string,
    });
    expect([existsSync(state), existsSync(join(repo, '.claude', 'guard-hook.cjs'))]).toEqual([true, true]);
  });

  it('removes what a team committed, for this checkout to commit', () => {
    const { repo, env, run } = fresh();
    run('init');
    git(repo, 'add', '.claude/settings.json', '.claude/guard-hook.cjs');
    git(repo, 'commit', '-qm', 'guard');
    const clone = join(base, 'a clone');
    git(base, 'clone', '-q', repo, clone);
    guard(clone, env, 'init');
    expect(guard(clone, env, 'uninstall').code).toBe(0);
    expect(json(join(clone, '.claude', 'settings.json'))).toEqual({});
    expect(git(clone, 'status', '--short')).toBe('D .claude/guard-hook.cjs\n M .claude/settings.json');
  });

  it('replaces no file of the user by a record that came with an archive', () => {
    const { repo, home, env } = fresh();
    const plain = join(repo, '..', 'unpacked');
    const profile = put(join(home, '.profile'), 'export X=1\n');
    const settings = put(join(home, '.claude', 'settings.json'), '{"model":"opus"}');
    const entry = (content: string) => ({
      before: Buffer.from('{"hooks":{}}').toString('base64'),
      after: createHash('sha256').update(content).digest('hex'),
      added: { rules: [], containers: [] },
      hooks: true,
      made: true,
      dirs: [home],
      backup: null,
    });
    const files = {
      [settings]: entry('{"model":"opus"}'),
      [profile]: { ...entry('export X=1\n'), before: null },
    };
    put(join(plain, '.guard', 'undo.json'), JSON.stringify({ v: 1, files, used_by: [] }));
    chmodSync(join(plain, '.guard'), 0o700);
    guard(plain, env, 'uninstall');
    expect([text(profile), text(settings)]).toEqual(['export X=1\n', '{"model":"opus"}']);
  });

  it('undoes every checkout it was installed in', () => {
    const { repo, env, run } = fresh();
    run('init');
    const linked = join(base, 'linked');
    git(repo, 'worktree', 'add', '-q', linked);
    expect(guard(linked, env, 'init').code).toBe(0);
    expect(existsSync(join(linked, '.claude', 'settings.json'))).toBe(true);
    expect(guard(linked, env, 'uninstall').code).toBe(0);
    expect([existsSync(join(linked, '.claude')), existsSync(join(repo, '.claude'))]).toEqual([false, false]);
  });
});

describe('the user scope, shared by repositories', () => {
  it('stays until the last of them is uninstalled', () => {
    const one = fresh();
    const two = gitRepo(join(base, 'another'));
    const file = put(join(one.home, '.claude', 'settings.json'), '{\n    "model": "opus"\n}\n');
    one.run('init', '--scope', 'user');
    const hooked = text(file);
    expect(guard(two, one.env, 'init', '--scope', 'user').stderr).not.toContain('updated');
    expect(one.run('uninstall').stderr).toContain(join(two, '.git', 'guard'));
    expect(text(file)).toBe(hooked);
    expect(guard(two, one.env, 'uninstall').code).toBe(0);
    expect([text(file), readdirSync(join(one.home, '.claude'))]).toEqual([
      '{\n    "model": "opus"\n}\n',
      ['settings.json'],
    ]);
  });

  it('does not stay for a repository that is gone', () => {
    const { run, home } = fresh();
    run('init', '--scope', 'user');
    const book = join(home, '.local', 'state', 'guard', 'undo.json');
    put(book, text(book).replace('"used_by": [', '"used_by": [\n    "/gone/.git/guard",'));
    run('uninstall');
    expect(existsSync(join(home, '.claude'))).toBe(false);
  });
});
