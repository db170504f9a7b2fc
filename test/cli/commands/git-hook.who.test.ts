import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { json, PACKAGE, PROGRAM, put, run } from '../../install/scratch.ts';
import { hooked, type Hooked, sharedIn } from './git-hook.place.ts';
import { places } from './place.ts';

const { fresh } = places();

/** One event of session s1, through the hook command from the settings. */
function fire({ repo, env }: Hooked, hook_event_name: string, more: object) {
  const input = { session_id: 's1', transcript_path: '/t', cwd: repo, hook_event_name, ...more };
  const options = { cwd: repo, env: { ...env, CLAUDE_PROJECT_DIR: repo }, input: JSON.stringify(input) };
  return run(process.execPath, [join(PACKAGE, 'dist', 'hook.cjs')], options);
}

function write(place: Hooked, name: string, content: string): void {
  const file_path = join(place.repo, name);
  const call = { tool_name: 'Write', tool_use_id: 't1', tool_input: { file_path, content } };
  const pre = fire(place, 'PreToolUse', call);
  expect([pre.code, pre.stdout.includes('deny')]).toEqual([0, false]);
  put(file_path, content);
  fire(place, 'PostToolUse', { ...call, tool_response: { type: 'create', filePath: file_path } });
}

describe('work of another agent', { timeout: 120_000 }, () => {
  it('is left out by agents, and committed by people and where it was changed since', () => {
    const place = hooked(fresh(), '--preset', 'auto');
    const { repo, as, git } = place;
    fire(place, 'SessionStart', { source: 'startup' });
    fire(place, 'UserPromptSubmit', { prompt: 'go' });
    write(place, 'theirs', 'one\n');
    expect(place.run('lock', 'status').stdout).toContain('theirs');
    place.guardAs('claude-s1', 'lock', 'release', '--all-held');
    put(join(repo, 'mine'), 'one\n');
    git('add', 'theirs', 'mine');
    const refused = as('codex-1', 'commit', '-qm', 'all');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('WORK_OF_OTHERS');
    expect(refused.stderr).toContain('theirs: written by claude-s1');
    expect(refused.stderr).not.toContain('A person may commit');
    put(join(repo, 'theirs'), 'another\n');
    git('add', 'theirs');
    expect(as('codex-1', 'commit', '--dry-run', '-qm', 'all').code).toBe(0);
    expect(as('codex-1', 'commit', '-qm', 'all').code).toBe(0);
    write(place, 'again', 'two\n');
    place.guardAs('claude-s1', 'lock', 'release', '--all-held');
    git('add', 'again');
    expect(as('codex-1', 'commit', '-qm', 'again').code).toBe(1);
    expect(git('commit', '-qm', 'again').code).toBe(0);
  });
});

describe('who commits', { timeout: 120_000 }, () => {
  it('is any agent of its session if nothing says which', () => {
    const place = hooked(fresh());
    const { repo, env, git } = place;
    fire(place, 'SessionStart', { source: 'startup' });
    fire(place, 'SubagentStart', { agent_id: 'sub1', agent_type: 'general-purpose' });
    put(join(repo, 'mine'), 'one\n');
    put(join(repo, 'theirs'), 'one\n');
    git('add', 'mine', 'theirs');
    const inSession = { ...env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's1' };
    const commit = (...args: string[]) =>
      run('git', ['commit', '-qm', 'x', ...args], { cwd: repo, env: inSession });
    const spoken = run(process.execPath, [PROGRAM, 'lock', 'try', 'mine'], { cwd: repo, env: inSession });
    expect(spoken.stderr).toContain('GUARD_ERR_SPEAKER');
    expect(place.guardAs('claude-s1/sub1', 'lock', 'try', 'mine').code).toBe(0);
    expect(place.guardAs('other', 'lock', 'try', 'theirs').code).toBe(0);
    const refused = commit();
    expect([refused.code, /^ {2}mine:/m.test(refused.stderr)]).toEqual([1, false]);
    expect(refused.stderr).toContain('Do not bypass this');
    expect(commit('--', 'mine').code).toBe(0);
  });

  it('is a subagent that may commit what its main agent holds, and not the other way round', () => {
    const place = hooked(fresh());
    const { repo, git, as, guardAs } = place;
    for (const name of ['a', 'b']) put(join(repo, name), 'one\n');
    git('add', 'a', 'b');
    expect(guardAs('codex-1', 'lock', 'try', 'a').code).toBe(0);
    expect(guardAs('codex-1/sub', 'lock', 'try', 'b').code).toBe(0);
    expect(as('codex-1', 'commit', '-qm', 'x', '--', 'b').code).toBe(1);
    expect(as('codex-1/sub', 'commit', '-qm', 'x', '--', 'a').code).toBe(0);
  });

  it('does not matter under enforcement "off", nor once the holder has left', () => {
    const place = sharedIn(fresh());
    const file = join(place.state, 'install.json');
    const install = json(file) as Record<string, unknown>;
    put(file, JSON.stringify({ ...install, enforcement_floor: 'off' }));
    put(join(place.repo, 'guard.config.json'), '{"enforcement":"off"}');
    expect(place.git('commit', '-qm', 'a', '--', 'a').code).toBe(0);
    put(join(place.repo, 'guard.config.json'), '{"enforcement":"auto"}');
    put(join(place.repo, 'a'), 'three\n');
    expect(place.git('commit', '-qm', 'a', '--', 'a').code).toBe(1);
    expect(place.guardAs('other', 'leave').code).toBe(0);
    expect(place.git('commit', '-qm', 'a', '--', 'a').code).toBe(0);
  });

  it('of hundreds of files is listed in a few lines', () => {
    const { repo, git, guardAs } = hooked(fresh());
    const names = Array.from({ length: 300 }, (_, nth) => join(repo, 'many', `f${String(nth)}`));
    names.forEach((name) => put(name, 'one\n'));
    git('add', 'many');
    guardAs('other', 'reserve', 'many/**', '--reason', 'moves');
    const refused = git('commit', '-qm', 'x');
    expect([refused.code, refused.stderr.includes('and 280 more')]).toEqual([1, true]);
    expect(refused.stderr.split('\n').length).toBeLessThan(30);
  });
});
