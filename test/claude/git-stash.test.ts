/** One stash for all worktrees: guard knows which agent saved an entry, and which agents work on a branch. */
import { describe, expect, test } from 'vitest';
import { type Answer, expectEnvelope, scratch, type Scratch, Session, wrongs } from './driver.ts';
import { hookHere, preHere } from './driver/in-process.ts';
import { fieldsOf } from './driver/session.ts';

function repository(): { at: Scratch; a: Session; b: Session } {
  const at = scratch({ files: { 'a.txt': 'a\n', 'm.txt': 'm\n' } });
  at.git('config', 'user.name', 'a');
  at.git('config', 'user.email', 'a@example.com');
  at.git('add', '-A');
  at.git('commit', '-qm', '1');
  const [a, b] = [new Session(at), new Session(at)];
  a.prompt();
  b.prompt();
  return { at, a, b };
}

/** The whole call: the hook before, the command itself, the hook after. */
function bash(agent: Session, command: string): Answer {
  const call = agent.call('Bash', { command });
  const pre = preHere(agent, call);
  if (wrongs(pre).length > 0) return pre;
  expect(agent.scratch.shell(command, agent.env).exit).toBe(0);
  const done = { ...fieldsOf(call), tool_response: { stdout: '', stderr: '', interrupted: false } };
  hookHere(agent.scratch, JSON.stringify(agent.payload('PostToolUse', done)), agent.env);
  return pre;
}

describe('an entry of the stash', () => {
  test.each(['pop', 'apply', 'drop', 'clear', 'branch mine'])(
    'of another agent is not taken by %s',
    (verb) => {
      const { at, a, b } = repository();
      at.put('m.txt', 'of b\n');
      bash(b, 'git stash');
      const said = preHere(a, a.call('Bash', { command: `git stash ${verb}` }));
      expect(wrongs(said)).toEqual(['WORK_OF_OTHERS']);
      expect(expectEnvelope(said).details).toMatchObject({ path: '@git/stash', holders: [b.name] });
      expect(wrongs(preHere(b, b.call('Bash', { command: `git stash ${verb}` })))).toEqual([]);
    },
  );

  test("of one's own below it is named", () => {
    const { at, a, b } = repository();
    at.put('a.txt', 'of a\n');
    bash(a, 'git stash');
    at.put('m.txt', 'of b\n');
    bash(b, 'git stash push -m later');
    const { next } = expectEnvelope(preHere(a, a.call('Bash', { command: 'git stash pop' })))
      .details as unknown as {
      next: string[];
    };
    expect(next[0]).toBe("git stash pop 'stash@{1}'");
    expect(wrongs(bash(a, next[0] ?? ''))).toEqual([]);
    expect(at.read('a.txt')).toBe('of a\n');
  });

  test('that nothing was saved on is not the one that a line takes back', () => {
    const { at, a, b } = repository();
    at.put('m.txt', 'of b\n');
    bash(b, 'git stash');
    expect(wrongs(preHere(a, a.call('Bash', { command: 'git stash; true; git stash pop' })))).toEqual([
      'WORK_OF_OTHERS',
    ]);
    at.put('a.txt', 'of a\n');
    expect(wrongs(preHere(a, a.call('Bash', { command: 'git stash; true; git stash pop' })))).toEqual([]);
  });

  test('of nobody that is known is told of, and taken', () => {
    const { at, a } = repository();
    at.put('m.txt', 'of a person\n');
    at.git('stash');
    expect(wrongs(preHere(a, a.call('Bash', { command: 'git stash pop' })))).toEqual([]);
  });
});

describe('what git has once', () => {
  test('can be locked, and is then refused to others', () => {
    const { at, a, b } = repository();
    at.put('a.txt', 'of a\n');
    expect(b.guard('lock', 'try', '@git/stash').exit).toBe(0);
    expect(wrongs(preHere(a, a.call('Bash', { command: 'git stash' })))).toEqual(['LOCKED_BY_OTHER']);
    expect(wrongs(preHere(a, a.call('Bash', { command: 'git add a.txt' })))).toEqual([]);
    expect(b.guard('lock', 'release', '@git/stash').exit).toBe(0);
    expect(wrongs(preHere(a, a.call('Bash', { command: 'git stash' })))).toEqual([]);
  });

  test.each(['@git/index', '@git/worktree', '@git/refs/heads/x'])(
    '%s is another thing than a file of that name',
    (name) => {
      const { a, b } = repository();
      expect(b.guard('lock', 'try', name).exit).toBe(0);
      expect(a.guard('lock', 'try', `./${name}`).exit).toBe(0);
      expect(a.guard('lock', 'try', name).exit).not.toBe(0);
      expect(JSON.stringify(a.guard('lock', 'status', '--json').json())).toContain(`"filepath":"${name}"`);
    },
  );
});

describe('a branch', () => {
  test('with commits of another agent that are nowhere else is not deleted', () => {
    const { at, a, b } = repository();
    const main = at.git('branch', '--show-current').trim();
    at.git('checkout', '-qb', 'work');
    at.put('m.txt', 'of b\n');
    bash(b, 'git commit -qam theirs');
    at.git('checkout', '-q', main);
    const said = preHere(a, a.call('Bash', { command: 'git branch -D work' }));
    expect(wrongs(said)).toEqual(['WORK_OF_OTHERS']);
    expect(wrongs(preHere(a, a.call('Bash', { command: 'git branch -d work' })))).toEqual([]);
    expect(wrongs(preHere(b, b.call('Bash', { command: 'git branch -D work' })))).toEqual([]);
    at.git('merge', '-q', 'work');
    expect(wrongs(preHere(a, a.call('Bash', { command: 'git branch -D work' })))).toEqual([]);
  });

  test('that is checked out where another agent works is not moved away under it', () => {
    const { at, a } = repository();
    at.git('worktree', 'add', '-q', '-b', 'topic', '../wt');
    const there = new Session(at, { cwd: `${at.root}/../wt` });
    there.prompt();
    expect(wrongs(preHere(a, a.call('Bash', { command: 'git update-ref refs/heads/topic HEAD' })))).toEqual(
      [],
    );
    expect(there.guard('lock', 'try', `${at.root}/../wt/a.txt`).exit).toBe(0);
    expect(wrongs(preHere(a, a.call('Bash', { command: 'git update-ref refs/heads/topic HEAD' })))).toEqual([
      'WORK_OF_OTHERS',
    ]);
    const gone = preHere(a, a.call('Bash', { command: 'git worktree remove --force ../wt' }));
    expect(wrongs(gone)).toEqual(['LOCKED_BY_OTHER']);
  });
});
