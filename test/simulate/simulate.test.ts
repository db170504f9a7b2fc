/** What guard would have refused in past sessions, one situation at a time. */
import { describe, expect, it } from 'vitest';
import { ONE, reported, refusals, Told, twoSessions } from './told.ts';

describe('guard simulate: what would have been refused', () => {
  it('one session alone is refused nothing', () => {
    const { day, a } = twoSessions();
    a.read('a.txt', ONE).write('a.txt', 'uno\n', ONE).edit('a.txt', ['uno', 'eins'], 'uno\n').rest();
    expect(reported(day.dir).denied).toMatchObject({ calls: 0, list: [] });
  });

  it('a write to a file that another session is at work on', () => {
    const { day, a, b } = twoSessions();
    a.edit('a.txt', ['one', 'ONE'], ONE);
    b.edit('a.txt', ['two', 'TWO'], 'ONE\ntwo\nthree\n');
    expect(refusals(day.dir)).toEqual([['claude-bbbb', 'a.txt', 'UNREAD_FILE+LOCKED_BY_OTHER', 'written']]);
  });

  it('a write over content that another session left since it was read, when that one has ended its turn', () => {
    const { day, a, b } = twoSessions();
    b.read('a.txt', ONE);
    a.read('a.txt', ONE).edit('a.txt', ['one', 'ONE'], ONE).rest().pass(5_000);
    b.edit('a.txt', ['two', 'TWO'], 'ONE\ntwo\nthree\n');
    expect(refusals(day.dir)).toEqual([['claude-bbbb', 'a.txt', 'STALE_FILE', 'written']]);
    const [denied] = reported(day.dir).denied.list;
    expect(denied).toMatchObject({ details: { changed_by: 'claude-aaaa', cause: 'modified' }, tool: 'Edit' });
  });

  it('nothing, once it has read the file again', () => {
    const { day, a, b } = twoSessions();
    b.read('a.txt', ONE);
    a.edit('a.txt', ['one', 'ONE'], ONE).rest().pass(5_000);
    b.read('a.txt', 'ONE\ntwo\nthree\n').edit('a.txt', ['two', 'TWO'], 'ONE\ntwo\nthree\n');
    expect(refusals(day.dir)).toEqual([]);
  });

  it('a write over what somebody changed whom no transcript knows, found by the text that it replaced', () => {
    const { day, a } = twoSessions();
    a.read('a.txt', ONE).edit('a.txt', ['one', 'ONE'], `by hand\n${ONE}`);
    expect(refusals(day.dir)).toEqual([['claude-aaaa', 'a.txt', 'STALE_FILE', 'written']]);
    expect(reported(day.dir).denied.list[0]?.details).toMatchObject({ changed_by: 'outside' });
  });

  it('that cannot be told after a command of the same session: it may have been its own formatter', () => {
    const { day, a } = twoSessions();
    a.read('a.txt', ONE).bash('make format').edit('a.txt', ['one', 'ONE'], `formatted\n${ONE}`);
    expect(reported(day.dir)).toMatchObject({ denied: { calls: 0 }, not_judged: { writes: 1 } });
  });

  it('a write that failed would have been refused all the same, and is said to have failed', () => {
    const { day, a, b } = twoSessions();
    a.edit('a.txt', ['one', 'ONE'], ONE);
    const file_path = b.path('a.txt');
    b.fails(b.begin('Edit', { file_path, old_string: 'x', new_string: 'y' }), 'File content has changed');
    expect(refusals(day.dir)).toEqual([['claude-bbbb', 'a.txt', 'UNREAD_FILE+LOCKED_BY_OTHER', 'failed']]);
  });

  it('not what the client refuses before any hook is asked', () => {
    const { day, a, b } = twoSessions();
    a.edit('a.txt', ['one', 'ONE'], ONE);
    const input = { file_path: b.path('a.txt'), old_string: 'x', new_string: 'y' };
    b.fails(b.begin('Edit', input), '<tool_use_error>File has not been read yet.</tool_use_error>');
    expect(reported(day.dir)).toMatchObject({ denied: { calls: 0 }, calls: { refused_by_client: 1 } });
  });

  it('a write whose result the transcript does not have, because it ends there', () => {
    const { day, a, b } = twoSessions();
    a.edit('a.txt', ['one', 'ONE'], ONE);
    b.begin('Write', { file_path: b.path('a.txt'), content: 'x' });
    expect(refusals(day.dir)).toEqual([['claude-bbbb', 'a.txt', 'UNREAD_FILE+LOCKED_BY_OTHER', 'unknown']]);
  });

  it('under standard the agent is told to lock, and taken to do so: then its locks hold the others back', () => {
    const { day, a, b } = twoSessions();
    a.edit('a.txt', ['one', 'ONE'], ONE).edit('a.txt', ['two', 'TWO'], 'ONE\ntwo\nthree\n');
    b.read('a.txt', 'ONE\nTWO\nthree\n').edit('a.txt', ['three', 'THREE'], 'ONE\nTWO\nthree\n');
    expect(refusals(day.dir, { preset: 'standard' })).toEqual([
      ['claude-aaaa', 'a.txt', 'NOT_LOCKED', 'written'],
      ['claude-bbbb', 'a.txt', 'LOCKED_BY_OTHER', 'written'],
    ]);
    expect(reported(day.dir, { preset: 'standard' }).denied.locks_as_told).toBe(1);
  });

  it('strict wants every file to be read first', () => {
    const { day, a } = twoSessions();
    a.edit('a.txt', ['one', 'ONE'], ONE);
    expect(refusals(day.dir, { preset: 'strict' })).toEqual([
      ['claude-aaaa', 'a.txt', 'UNREAD_FILE+NOT_LOCKED', 'written'],
    ]);
  });

  it('two subagents of one session are two agents, whose results have no texts', () => {
    const { day, a } = twoSessions();
    const [first, second] = ['s1', 's2'].map((agent) => new Told(day, 'aaaa', { agent }));
    first?.prompt('Do it.').read('a.txt', ONE).edit('a.txt', ['one', 'ONE'], ONE);
    second
      ?.prompt('Do it.')
      .read('a.txt', 'ONE\ntwo\nthree\n')
      .edit('a.txt', ['two', 'TWO'], 'not looked at');
    a.rest();
    expect(refusals(day.dir)).toEqual([['claude-aaaa/s2', 'a.txt', 'LOCKED_BY_OTHER', 'written']]);
  });

  it('a worktree that the client made has files of its own', () => {
    const { day, a } = twoSessions();
    a.edit('a.txt', ['one', 'ONE'], ONE);
    const cwd = '/repo/.claude/worktrees/agent-w1';
    new Told(day, 'cccc', { cwd }).prompt().edit('a.txt', ['one', 'ONE'], ONE);
    const report = reported(day.dir);
    expect(report.denied.calls).toBe(0);
    expect(report.contention.files).toEqual([]);
  });

  it('outside of where a session works there are no locks, and stale is stale all the same', () => {
    const { day, a, b } = twoSessions();
    const file = '/etc/motd';
    b.read(file, ONE);
    a.edit(file, ['one', 'ONE'], ONE);
    b.edit(file, ['two', 'TWO'], 'ONE\ntwo\nthree\n');
    expect(refusals(day.dir)).toEqual([['claude-bbbb', file, 'STALE_FILE', 'written']]);
  });

  it('a command line over a file that another session holds, its words left out', () => {
    const { day, a, b } = twoSessions();
    a.edit('a.txt', ['one', 'ONE'], ONE);
    b.bash('TOKEN=hunter2 sed -i s/one/two/ /repo/a.txt');
    expect(refusals(day.dir)).toEqual([['claude-bbbb', 'a.txt', 'UNREAD_FILE+LOCKED_BY_OTHER', 'written']]);
    expect(JSON.stringify(reported(day.dir))).not.toContain('hunter2');
  });

  it('a command line that removes a directory with such a file', () => {
    const { day, a, b } = twoSessions();
    a.edit('src/a.txt', ['one', 'ONE'], ONE);
    b.bash('rm -rf /repo/src # hunter2');
    const { denied } = reported(day.dir);
    expect(denied.list[0]).toMatchObject({
      agent: 'claude-bbbb',
      error_type: 'LOCKED_BY_OTHER',
      tool: 'Bash',
    });
    expect(JSON.stringify(denied)).not.toMatch(/hunter2|Other agents hold/);
    expect(JSON.stringify(reported(day.dir, { show: true }).denied)).toContain('Other agents hold');
  });

  it('a command line with a pattern that such a file matches, or with its directory as the target', () => {
    const { day, a, b } = twoSessions();
    a.edit('src/a.txt', ['one', 'ONE'], ONE);
    b.bash('sed -i s/one/two/ /repo/src/*.txt').bash('cd /repo && cp /tmp/a.txt src');
    expect(refusals(day.dir).map(([, file]) => file)).toEqual(['src/a.txt', 'src/a.txt']);
  });

  it('a pattern that nothing known matches is not judged, and a new directory is no file', () => {
    const { day, a } = twoSessions();
    a.bash('sed -i s/one/two/ /repo/lib/*.ts').bash('mkdir -p /repo/lib');
    expect(reported(day.dir)).toMatchObject({
      not_judged: { commands_unreadable: 1 },
      contention: { files: [] },
    });
  });

  it('counts command lines that nobody can judge any more', () => {
    const { day, a } = twoSessions();
    a.bash('git checkout -- .').bash('git status').bash('echo x > "$OUT/x.txt"').bash('ls');
    expect(reported(day.dir)).toMatchObject({
      calls: { commands: 4 },
      not_judged: { commands_git: 1, commands_unreadable: 1 },
    });
  });
});
