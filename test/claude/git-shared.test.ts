/** State that worktrees share besides the stash: the configuration, the list of worktrees, and the agents in each. */
import { describe, expect, test } from 'vitest';
import { expectEnvelope, scratch, type Scratch, Session, wrongs } from './driver.ts';
import { preHere } from './driver/in-process.ts';

function repository(): { at: Scratch; a: Session; b: Session } {
  const at = scratch({ files: { 'a.txt': 'a\n' } });
  at.git('config', 'user.name', 'a');
  at.git('config', 'user.email', 'a@example.com');
  at.git('add', '-A');
  at.git('commit', '-qm', '1');
  at.git('branch', 'topic');
  const [a, b] = [new Session(at), new Session(at)];
  a.prompt();
  b.prompt();
  return { at, a, b };
}

const said = (agent: Session, command: string) => preHere(agent, agent.call('Bash', { command }));

describe('the configuration, locked by another agent', () => {
  const WRITES = [
    'git config core.autocrlf input',
    'git config --unset core.autocrlf',
    'git config set core.autocrlf input',
    'git config --local --add x.y z',
    'git remote add other ../other',
    'git remote set-url origin ../other',
    'git branch --set-upstream-to=origin/main',
    'git branch -m topic other',
    'git branch -d topic',
    'git push -u origin topic',
    'git submodule init',
    'git worktree add --track -b x ../x origin/x',
  ];
  const OTHERS = [
    'git config user.name',
    'git config --get user.name',
    'git config get user.name',
    'git config --list',
    'git config --global user.name x',
    'git config -f other.ini x.y z',
    'git remote -v',
    'git remote show',
    'git branch other',
    'git push origin topic',
    'git worktree add ../x',
    'git submodule status',
  ];

  test('is not written, and may be read', () => {
    const { a, b } = repository();
    for (const line of [...WRITES, ...OTHERS]) expect(wrongs(said(a, line)), line).toEqual([]);
    expect(b.guard('lock', 'try', '@git/config').exit).toBe(0);
    for (const line of WRITES) expect(wrongs(said(a, line)), line).toEqual(['LOCKED_BY_OTHER']);
    for (const line of OTHERS) expect(wrongs(said(a, line)), line).toEqual([]);
    const { details } = expectEnvelope(said(a, 'git config x.y z'));
    expect(details).toMatchObject({ path: '@git/config', holder: b.name });
    expect(JSON.stringify(details)).toContain('lock wait @git/config');
    expect(wrongs(said(b, 'git config x.y z'))).toEqual([]);
  });
});

describe('the list of worktrees, locked by another agent', () => {
  test('does not change, and may be read', () => {
    const { a, b } = repository();
    const changes = [
      'add ../x',
      'prune',
      'lock ../x',
      'unlock ../x',
      'repair',
      'remove ../x',
      'move ../x ../y',
    ];
    for (const verb of changes) expect(wrongs(said(a, `git worktree ${verb}`)), verb).toEqual([]);
    expect(b.guard('lock', 'try', '@git/worktrees').exit).toBe(0);
    for (const verb of changes)
      expect(wrongs(said(a, `git worktree ${verb}`)), verb).toEqual(['LOCKED_BY_OTHER']);
    expect(wrongs(said(a, 'git worktree list'))).toEqual([]);
    expect(b.guard('lock', 'release', '@git/worktrees').exit).toBe(0);
    expect(wrongs(said(a, 'git worktree add ../x'))).toEqual([]);
  });
});

describe('a worktree', () => {
  test('in which another agent began is not removed or moved from under it, nor its branch moved', () => {
    const { at, a } = repository();
    at.git('worktree', 'add', '-q', '../wt', 'topic');
    const lines = [
      'git worktree remove ../wt',
      'git worktree remove --force ../wt',
      'git worktree move ../wt ../wu',
      'git update-ref refs/heads/topic HEAD',
    ];
    for (const line of lines) expect(wrongs(said(a, line)), line).toEqual([]);
    const there = new Session(at, { cwd: `${at.root}/../wt` });
    there.start();
    for (const line of lines) expect(wrongs(said(a, line)), line).toEqual(['WORK_OF_OTHERS']);
    expect(expectEnvelope(said(a, lines[0] ?? '')).details).toMatchObject({ holders: [there.name] });
    expect(wrongs(said(there, 'git worktree remove ../wt'))).toEqual([]);
    there.end();
    for (const line of lines) expect(wrongs(said(a, line)), line).toEqual([]);
  });
});

describe('an operation that stands half done in a checkout', () => {
  test('is told to whoever would move its HEAD by something else', () => {
    const { at, a } = repository();
    at.git('bisect', 'start');
    const told = said(a, 'git checkout -q topic');
    expect(wrongs(told)).toEqual([]);
    expect(told.context).toContain('a bisect is in progress in');
    expect(told.context).toContain('@git/op/main');
    expect(said(a, 'git bisect reset').context).not.toContain('in progress');
    at.git('bisect', 'reset');
    expect(said(a, 'git checkout -q topic').context).not.toContain('in progress');
  });
});
