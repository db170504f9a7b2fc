/** A file that an agent read no longer exists: the text of the denial, and its steps, which work. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Denial, expectEnvelope, oneAgent, type Scratch, type Session, working } from './driver.ts';

const TEXT = 'one\ntwo\nthree\n';
const FILES = { 'src/m1.txt': TEXT, 'src/m2.txt': 'other\n' };

/** An agent that holds and has read src/m1.txt, which is committed. */
function reader(init: readonly string[] = []): { at: Scratch; agent: Session } {
  const { at, agent } = oneAgent({ files: FILES, init });
  at.git('config', 'user.email', 'kim@example.com');
  at.git('config', 'user.name', 'Kim');
  at.git('add', 'src');
  at.git('commit', '-qm', 'first');
  if (init.length === 0) agent.lock('src/m1.txt');
  agent.read('src/m1.txt');
  return { at, agent };
}

const refused = (agent: Session, file = 'src/m1.txt'): Denial => {
  const denial = expectEnvelope(agent.write(file, 'mine\n').pre);
  expect(denial).toMatchObject({
    error_type: 'STALE_FILE',
    message: 'File modified by another actor. Re-read required.',
    details: { cause: 'target_missing', current_disk_hash: null },
  });
  expect(denial.details.next.filter((step) => step.startsWith(`Read ${denial.details.path}`))).toEqual([]);
  return denial;
};

/** Follows the steps literally: a guard command, or a Read. */
function obey(agent: Session, steps: readonly string[]): void {
  for (const step of steps) {
    const [, file] = /^Read (\S+)$/.exec(step) ?? [];
    if (file !== undefined) agent.read(file);
    else expect(agent.bash(step).exit, step).toBe(0);
  }
}

describe('a file that was moved', () => {
  it('by a commit of the whole directory: the denial says where to, and by whom, and its steps lead there', () => {
    const { at, agent } = reader();
    at.git('mv', 'src', 'lib');
    at.git('commit', '-qm', 'rename');
    const { details } = refused(agent);
    const moved = at.path('lib/m1.txt');
    expect(details).toMatchObject({
      gone: 'moved',
      moved_to: moved,
      commit: at.git('rev-parse', '--short', 'HEAD').trim(),
      commit_by: 'Kim',
    });
    expect(details['hint']).toContain(moved);
    expect(details.next).toEqual([expect.stringContaining(`lock try ${moved}`), `Read ${moved}`]);
    obey(agent, details.next);
    expect(agent.edit('lib/m1.txt', 'two', 'TWO').post?.exit).toBe(0);
    expect(fs.existsSync(at.path('src'))).toBe(false);
  });

  it('and changed, and moved once more, in three commits', () => {
    const { at, agent } = reader();
    at.git('mv', 'src', 'lib');
    at.git('commit', '-qm', 'once');
    at.put('lib/m1.txt', `${TEXT}four\n`);
    at.git('commit', '-qam', 'change');
    at.git('mv', 'lib/m1.txt', 'm1.md');
    at.git('commit', '-qm', 'twice');
    expect(refused(agent).details).toMatchObject({ gone: 'moved', moved_to: at.path('m1.md') });
  });

  it('by git mv, without a commit', () => {
    const { at, agent } = reader();
    at.git('mv', 'src/m1.txt', 'src/new name.txt');
    const { details } = refused(agent);
    expect(details).toMatchObject({ gone: 'moved', moved_to: at.path('src/new name.txt') });
    expect(details['commit']).toBeUndefined();
    expect(details.next[0]).toContain(`lock try '${at.path('src/new name.txt')}'`);
  });

  it('by mv, which git has not been told: found by its content', () => {
    const { at, agent } = reader();
    fs.mkdirSync(at.path('deep/er'), { recursive: true });
    fs.renameSync(at.path('src/m1.txt'), at.path('deep/er/m1.txt'));
    expect(refused(agent).details).toMatchObject({ gone: 'moved', moved_to: at.path('deep/er/m1.txt') });
  });

  it('of several new files with its content, the one that kept its name is meant', () => {
    const { at, agent } = reader();
    at.put('copy/x.txt', TEXT);
    fs.renameSync(at.path('src/m1.txt'), at.path('copy/m1.txt'));
    expect(refused(agent).details).toMatchObject({ moved_to: at.path('copy/m1.txt') });
  });

  it('in a linked worktree, by a commit there', () => {
    const { at } = reader();
    const tree = join(at.root, '..', 'tree');
    at.git('worktree', 'add', '-q', tree);
    const agent = working(at, { cwd: tree });
    const file = join(tree, 'src/m1.txt');
    agent.lock(file);
    agent.read(file);
    at.git('-C', tree, 'mv', 'src/m1.txt', 'm1.txt');
    at.git('-C', tree, 'commit', '-qm', 'up');
    expect(refused(agent, file).details).toMatchObject({ gone: 'moved', moved_to: join(tree, 'm1.txt') });
  });

  it('by another agent that wrote it there under guard: that agent is named', () => {
    const { at, agent } = reader();
    const other = working(at);
    other.lock('lib.txt');
    other.write('lib.txt', TEXT);
    fs.rmSync(at.path('src/m1.txt'));
    expect(refused(agent).details).toMatchObject({ moved_to: at.path('lib.txt'), changed_by: other.name });
  });

  it('where no locks are required, it is read and not locked', () => {
    const { at, agent } = reader(['--preset', 'auto']);
    at.git('mv', 'src/m1.txt', 'm1.txt');
    expect(refused(agent).details.next).toEqual([`Read ${at.path('m1.txt')}`]);
  });

  it('and is wanted at the old name all the same: reading that it is gone lets it be made', () => {
    const { at, agent } = reader();
    at.git('mv', 'src/m1.txt', 'm1.txt');
    expect(refused(agent).details['hint']).toContain('Read it (that fails), then Write it');
    agent.read('src/m1.txt');
    expect(agent.write('src/m1.txt', 'mine\n').post?.exit).toBe(0);
    expect(at.read('m1.txt')).toBe(TEXT);
  });

  it('to a place that is not there any more either, is not called moved', () => {
    const { at, agent } = reader();
    at.git('mv', 'src/m1.txt', 'm1.txt');
    fs.rmSync(at.path('m1.txt'));
    expect(refused(agent).details['gone']).toBe('unknown');
  });
});

describe('a file that was deleted', () => {
  it('by a commit: the denial names it, and the way to make the file anew', () => {
    const { at, agent } = reader();
    at.git('rm', '-q', 'src/m1.txt');
    at.git('commit', '-qm', 'remove');
    const { details } = refused(agent);
    const commit = at.git('rev-parse', '--short', 'HEAD').trim();
    expect(details).toMatchObject({ gone: 'deleted', commit, commit_by: 'Kim' });
    expect(details.next).toEqual([`git show --stat ${commit}`, expect.stringContaining('(that fails)')]);
    agent.read('src/m1.txt');
    expect(agent.write('src/m1.txt', 'mine\n').post?.exit).toBe(0);
  });

  it('by rm: nothing more is said than that it is gone', () => {
    const { at, agent } = reader();
    fs.rmSync(at.path('src/m1.txt'));
    const { details } = refused(agent);
    expect(details).toMatchObject({ gone: 'unknown', changed_by: 'outside' });
    expect([details['moved_to'], details['commit']]).toEqual([undefined, undefined]);
    expect(details.next[0]).toBe('git status --short');
  });

  it('an older file with the same content, or a new one that is as empty, is not where it went', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': TEXT, 'b.txt': TEXT, 'empty.txt': '' } });
    agent.lock('a.txt', 'empty.txt');
    agent.read('a.txt');
    agent.read('empty.txt');
    fs.rmSync(at.path('a.txt'));
    fs.rmSync(at.path('empty.txt'));
    at.put('new.txt', '');
    expect(refused(agent, 'empty.txt').details['gone']).toBe('unknown');
    expect(refused(agent, 'a.txt').details['gone']).toBe('unknown');
  });

  it('on a client that does not report failed calls: the way to make it anew needs none', () => {
    const { at, agent } = reader();
    const old = Object.assign(working(at, { pid: null }), { env: {} });
    at.guard('lock', 'try', 'src/m2.txt', '--agent', old.name);
    old.read('src/m2.txt');
    fs.rmSync(at.path('src/m2.txt'));
    expect(refused(old, 'src/m2.txt').details.next.at(-1)).toContain('create it empty with the Bash tool');
    at.put('src/m2.txt', '');
    old.read('src/m2.txt');
    expect(old.write('src/m2.txt', 'mine\n').post?.exit).toBe(0);
    expect(agent.scratch).toBe(at);
  });

  it('while another agent has the lock: waiting comes first', () => {
    const { at, agent } = reader();
    agent.guard('lock', 'release', at.path('src/m1.txt'));
    const other = working(at);
    other.lock('src/m1.txt');
    fs.rmSync(at.path('src/m1.txt'));
    const { details } = refused(agent);
    expect(details.also).toEqual(['LOCKED_BY_OTHER']);
    expect(details['hint']).toMatch(new RegExp(`^Locked by ${other.name}`));
    const waits = details.next.findIndex((step) => step.includes(' lock wait '));
    expect(waits).toBe(details.next.length - 2);
  });
});

describe('a hostile repository', () => {
  it('gets no program started by its configuration when guard asks git', () => {
    const { at, agent } = reader();
    const touched = at.path('touched');
    const program = at.put('evil.sh', `#!/bin/sh\ntouch ${touched}\n`);
    fs.chmodSync(program, 0o755);
    at.git('mv', 'src/m1.txt', 'm1.txt');
    at.git('commit', '-qm', 'rename');
    for (const key of [
      'core.fsmonitor',
      'core.pager',
      'diff.external',
      'diff.evil.command',
      'diff.evil.textconv',
      'filter.evil.clean',
      'filter.evil.smudge',
      'gpg.program',
      'core.sshCommand',
      'core.askPass',
    ])
      at.git('config', key, program);
    at.git('config', 'log.showSignature', 'true');
    at.git('config', 'filter.evil.required', 'true');
    at.put('.gitattributes', '* diff=evil filter=evil\n');
    expect(refused(agent).details).toMatchObject({ gone: 'moved', moved_to: at.path('m1.txt') });
    expect(fs.existsSync(touched)).toBe(false);
  });

  it('whose index and log are damaged, costs a denial only what git would have said', () => {
    const { at, agent } = reader();
    fs.renameSync(at.path('src/m1.txt'), at.path('m1.txt'));
    at.put('.git/index', 'no index');
    fs.rmSync(at.path('.git/logs/HEAD'));
    fs.mkdirSync(at.path('.git/logs/HEAD'));
    expect(refused(agent).details).toMatchObject({ gone: 'moved', moved_to: at.path('m1.txt') });
  });

  it('with an author whose name has terminal escapes: they are shown, not obeyed', () => {
    const { at, agent } = reader();
    at.git('rm', '-q', 'src/m1.txt');
    at.git('-c', 'user.name=Kim\u001b[2J', 'commit', '-qm', 'remove');
    expect(refused(agent).details['commit_by']).not.toContain('\u001b');
  });
});

describe('a new file', () => {
  it('is judged without a look at git', () => {
    const { at, agent } = oneAgent();
    agent.lock('new.txt');
    at.put('.git/index', 'no index');
    expect(agent.write('new.txt', 'x\n').post?.exit).toBe(0);
  });
});
