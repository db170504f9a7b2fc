/** What an agent in one worktree learns during an edit about changes in the others, with real hooks and worktrees. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fieldsOf, scratch, type Scratch, Session, wrongs } from '../driver.ts';

const TEN = Array.from({ length: 10 }, (_, nth) => `line ${nth + 1}\n`).join('');
const changed = (...lines: readonly number[]): string =>
  lines.reduce((text, nth) => text.replace(`line ${nth}\n`, `other ${nth}\n`), TEN);

const commit = (at: Scratch, dir: string, message: string): void => {
  at.git('-C', dir, 'add', '-A');
  at.git('-C', dir, '-c', 'user.email=a@b', '-c', 'user.name=x', 'commit', '-q', '-m', message);
};

function worktrees(names: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const at = scratch({ files: { 'a.txt': TEN, ...files } });
  commit(at, at.root, 'first');
  const dirs = names.map((name) => join(at.home, name));
  for (const dir of dirs) at.git('worktree', 'add', '-q', dir);
  return { at, dirs };
}

function sessionIn(at: Scratch, dir: string): Session {
  const agent = new Session(at, { cwd: dir, env: { CLAUDE_PROJECT_DIR: dir } });
  agent.prompt();
  return agent;
}

/** Locks, reads and edits; returns the messages before and after the edit. */
function edit(agent: Session, file: string, before: string, after: string) {
  agent.lock(file);
  agent.read(file);
  const { pre, post } = agent.edit(file, before, after);
  expect(wrongs(pre)).toEqual([]);
  return { pre: pre.context, post: post?.context ?? '' };
}

describe('an edit of a file that was changed in another worktree', () => {
  it('is told of, once: who, on which branch and worktree, which lines, and that they meet', () => {
    const { at, dirs } = worktrees(['wa', 'wb']);
    const [wa = '', wb = ''] = dirs;
    const [one, two] = [sessionIn(at, wa), sessionIn(at, wb)];
    expect(edit(one, join(wa, 'a.txt'), 'line 4', 'mine 4')).toEqual({ pre: '', post: '' });
    const told = edit(two, join(wb, 'a.txt'), 'line 5', 'mine 5');
    // The other agent is informed at its next step, whatever that is.
    expect(one.read(join(wa, 'a.txt')).context).toContain(
      'in worktree wb (branch wb) where you changed it in yours',
    );
    expect(told.pre).toContain(
      `${one.name} changed "a.txt" in worktree wa (branch wa, not committed, last 20`,
    );
    expect(told.pre).toContain(': line 4 there. Yours meet them, with this edit, at 5: that will conflict');
    // The ledger contains the same write; it is not reported twice.
    expect(told.post).toBe('');
    expect(two.edit(join(wb, 'a.txt'), 'line 9', 'mine 9').pre.context).toBe('');
    // New content is reported again, and so is the second agent's change to the first.
    expect(edit(one, join(wa, 'a.txt'), 'line 10', 'mine 10').pre).toContain(
      `${two.name} changed "a.txt" in worktree wb`,
    );
    expect(two.edit(join(wb, 'a.txt'), 'mine 9', 'line 9').pre.context).toContain('lines 4, 10 there');
  });

  it('far from it is told to the other one as well, once for each file', () => {
    const { at, dirs } = worktrees(['wa', 'wb']);
    const [wa = '', wb = ''] = dirs;
    const [one, two] = [sessionIn(at, wa), sessionIn(at, wb)];
    edit(one, join(wa, 'a.txt'), 'line 1', 'mine 1');
    expect(edit(two, join(wb, 'a.txt'), 'line 9', 'mine 9').pre).toContain('They do not meet yours.');
    const told = one.read(join(wa, 'a.txt')).context;
    expect(told).toContain(
      'in worktree wb (branch wb), which you changed in yours: the changed lines do not overlap so far',
    );
    // Further changes are reported to the agent that edits, and to no other.
    edit(one, join(wa, 'a.txt'), 'line 2', 'mine 2');
    expect(two.edit(join(wb, 'a.txt'), 'mine 9', 'other 9').pre.context).toContain('lines 1-2 there');
    expect(one.read(join(wa, 'a.txt')).context).not.toContain('which you changed in yours');
  });

  it('far from it is told of as what does not meet, and the main checkout and hands unknown by name', () => {
    const { at, dirs } = worktrees(['wb']);
    const [wb = ''] = dirs;
    at.put('a.txt', changed(1, 2));
    const told = edit(sessionIn(at, wb), join(wb, 'a.txt'), 'line 9', 'mine 9').pre;
    expect(told).toContain('Someone changed "a.txt" in the main checkout (branch ');
    expect(told).toContain('lines 1-2 there. They do not meet yours.');
  });

  it('that is committed there is told of as committed, and as nothing where only this side changed it', () => {
    const { at, dirs } = worktrees(['wa', 'wb', 'wc']);
    const [wa = '', wb = '', wc = ''] = dirs;
    fs.writeFileSync(join(wa, 'a.txt'), changed(6));
    commit(at, wa, 'second');
    expect(edit(sessionIn(at, wb), join(wb, 'a.txt'), 'line 6', 'mine 6').pre).toContain(
      'in worktree wa (branch wa, committed, ',
    );
    // Only wa has changed since all of them forked, and wb has not committed, so wc has nothing to report to wa.
    const from_wa = edit(sessionIn(at, wa), join(wa, 'a.txt'), 'line 1', 'mine 1').pre;
    expect(from_wa).toContain('worktree wb');
    expect(from_wa).not.toContain('worktree wc');
    expect(from_wa).not.toContain('main checkout');
    expect(wc).not.toBe('');
  });

  it('is told of before a command line writes the file, once, and no edit tells it again', () => {
    const { at, dirs } = worktrees(['wa', 'wb']);
    const [wa = '', wb = ''] = dirs;
    const [one, two] = [sessionIn(at, wa), sessionIn(at, wb)];
    edit(one, join(wa, 'a.txt'), 'line 4', 'mine 4');
    two.lock(join(wb, 'a.txt'));
    const command = (line: string) => two.fire('PreToolUse', fieldsOf(two.call('Bash', { command: line })));
    expect(command('cat a.txt').context).toBe('');
    const told = command('sed -i s/5/6/ a.txt');
    expect(wrongs(told)).toEqual([]);
    expect(told.context).toContain(
      `${one.name} changed "a.txt" in worktree wa (branch wa, not committed, last 20`,
    );
    expect(told.context).toContain(': line 4 there');
    expect(told.context).not.toContain('Yours');
    expect(command('sed -i s/5/6/ a.txt').context).toBe('');
    two.read(join(wb, 'a.txt'));
    expect(two.edit(join(wb, 'a.txt'), 'line 9', 'mine 9').pre.context).toBe('');
  });

  it('in five others is told of three before a command line, and of two after it', () => {
    const { at, dirs } = worktrees(['w1', 'w2', 'w3', 'w4', 'w5', 'wb']);
    dirs.slice(0, 5).forEach((dir, nth) => fs.writeFileSync(join(dir, 'a.txt'), changed(nth + 1)));
    const two = sessionIn(at, dirs.at(-1) ?? '');
    two.lock(join(two.cwd, 'a.txt'));
    const call = two.call('Bash', { command: 'echo more >> a.txt' });
    const count = (text: string): number => text.split('changed "a.txt"').length - 1;
    expect(count(two.fire('PreToolUse', fieldsOf(call)).context)).toBe(3);
    const after = () => two.fire('PostToolUse', { ...fieldsOf(call), tool_response: { stdout: '' } }).context;
    expect(count(after())).toBe(2);
    expect(count(after())).toBe(0);
  });

  it('with the same change as here is no word worth', () => {
    const { at, dirs } = worktrees(['wa', 'wb']);
    const [wa = '', wb = ''] = dirs;
    for (const dir of [wa, wb]) fs.writeFileSync(join(dir, 'a.txt'), changed(3));
    expect(edit(sessionIn(at, wb), join(wb, 'a.txt'), 'line 9', 'mine 9')).toEqual({ pre: '', post: '' });
  });

  it('in five others is told of three at the edit, and of two after it', () => {
    const { at, dirs } = worktrees(['w1', 'w2', 'w3', 'w4', 'w5', 'wb']);
    dirs.slice(0, 5).forEach((dir, nth) => fs.writeFileSync(join(dir, 'a.txt'), changed(nth + 1)));
    const wb = dirs.at(-1) ?? '';
    const two = sessionIn(at, wb);
    const { pre, post } = edit(two, join(wb, 'a.txt'), 'line 5', 'mine 5');
    const count = (text: string): number => text.split('changed "a.txt"').length - 1;
    expect([count(pre), count(post)]).toEqual([3, 2]);
    // Overlapping changes come first: line 4 touches line 5.
    expect(pre).toContain('worktree w4');
    expect(pre).toContain('worktree w5');
    const again = edit(two, join(wb, 'a.txt'), 'line 9', 'mine 9');
    expect([again.pre, again.post]).toEqual(['', '']);
  });

  it('says which was deleted and which was added there', () => {
    const { at, dirs } = worktrees(['wa', 'wb'], { 'b.txt': 'x\n' });
    const [wa = '', wb = ''] = dirs;
    fs.rmSync(join(wa, 'b.txt'));
    fs.writeFileSync(join(wa, 'new.txt'), 'theirs\n');
    const two = sessionIn(at, wb);
    expect(edit(two, join(wb, 'b.txt'), 'x', 'y').pre).toContain('Someone deleted "b.txt" in worktree wa');
    two.lock(join(wb, 'new.txt'));
    expect(two.write(join(wb, 'new.txt'), 'mine\n').pre.context).toContain(
      'Someone added "new.txt" in worktree wa',
    );
  });
});

describe('an edit is told nothing', () => {
  it('where checkouts are apart', () => {
    const { at, dirs } = worktrees(['wa', 'wb']);
    const [wa = '', wb = ''] = dirs;
    const own = join(at.home, '.config/guard');
    fs.mkdirSync(own, { recursive: true });
    fs.writeFileSync(join(own, 'config.json'), JSON.stringify({ lease_scope: 'apart', allow_weaker: true }));
    fs.writeFileSync(join(wa, 'a.txt'), changed(3));
    expect(edit(sessionIn(at, wb), join(wb, 'a.txt'), 'line 3', 'mine').pre).toBe('');
  });

  it('of what git ignores, of links, pipes and directories there, of a checkout that is gone or sparse', () => {
    const { at, dirs } = worktrees(['wa', 'wb', 'wc', 'wd'], { '.gitignore': '*.log\n' });
    const [wa = '', wb = '', wc = '', wd = ''] = dirs;
    for (const dir of [wa, wb]) fs.writeFileSync(join(dir, 'x.log'), `${dir}\n`);
    fs.rmSync(join(wa, 'a.txt'));
    fs.symlinkSync('/etc/hosts', join(wa, 'a.txt'));
    fs.rmSync(wc, { recursive: true });
    at.git('-C', wd, 'update-index', '--skip-worktree', 'a.txt');
    fs.rmSync(join(wd, 'a.txt'));
    const two = sessionIn(at, wb);
    expect(edit(two, join(wb, 'x.log'), wb, 'mine').pre).toBe('');
    expect(edit(two, join(wb, 'a.txt'), 'line 3', 'mine').pre).toBe('');
  });

  it('of line ends that git changes itself, and the hook starts no filter', () => {
    const { at, dirs } = worktrees(['wa', 'wb'], { '.gitattributes': '*.bin filter=mine\n', 'b.bin': 'x\n' });
    const [wa = '', wb = ''] = dirs;
    const mark = join(at.home, 'ran');
    at.git('config', 'filter.mine.clean', `touch ${mark}; cat`);
    at.git('config', 'filter.mine.smudge', `touch ${mark}; cat`);
    at.git('config', 'core.fsmonitor', `touch ${mark}`);
    fs.writeFileSync(join(wa, 'a.txt'), TEN.replaceAll('\n', '\r\n'));
    fs.writeFileSync(join(wa, 'b.bin'), 'y\n');
    fs.rmSync(mark, { force: true });
    const two = sessionIn(at, wb);
    const call = two.call('Write', { file_path: join(wb, 'b.bin'), content: 'z\n' });
    two.lock(join(wb, 'b.bin'));
    two.read(join(wb, 'b.bin'));
    fs.rmSync(mark, { force: true });
    expect(two.pre(call).context).toBe('');
    expect(edit(two, join(wb, 'a.txt'), 'line 3', 'mine').pre).toBe('');
    expect(fs.existsSync(mark)).toBe(false);
  });
});
