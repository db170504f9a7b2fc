/** The milliseconds between guard's approval of a write and the client's write. */
import { describe, expect, it } from 'vitest';
import { working, wrongs } from '../claude/driver.ts';
import { installed } from './installed.ts';

describe('a file changes between the check and the write', () => {
  it('by a program that does not ask: the agent is told, it is on record, and what it wrote is lost', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const agent = working(at);
    agent.lock('a.txt');
    agent.read('a.txt');
    const { pre, post, call } = agent.edit('a.txt', 'one', 'mine', {
      before: () => at.put('a.txt', 'one\ntheirs\n'),
    });
    expect(pre).toMatchObject({ exit: 0, stdout: '' });
    expect(post?.context).toContain('a.txt');
    expect(at.log('write.raced')).toMatchObject([{ path: 'a.txt', op: call.id, original: 'other' }]);
    agent.read('a.txt');
    const whole = agent.write('a.txt', 'mine alone\n', { before: () => at.put('a.txt', 'theirs\n') });
    expect(whole.post?.context).toContain('a.txt');
    expect(at.read('a.txt')).toBe('mine alone\n');
    expect(at.log('write.raced')).toHaveLength(2);
  });

  it('by nobody: nothing is told, and the record is an ordinary one', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const agent = working(at);
    agent.lock('a.txt');
    agent.read('a.txt');
    expect(agent.edit('a.txt', 'one', 'mine').post).toMatchObject({ exit: 0, stdout: '' });
    expect(at.log('write')).toMatchObject([{ path: 'a.txt', original: 'same' }]);
    expect(at.log('write.raced')).toEqual([]);
  });
});

describe('two guarded writers meet between the check and the write', () => {
  it('the intent of the first denies the second, until the first has ended', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const [first, second] = [working(at), working(at)];
    first.lock('a.txt');
    const call = first.call('Write', { file_path: at.path('a.txt'), content: 'x' });
    expect(first.pre(call).exit).toBe(0);
    first.guard('lock', 'release', 'a.txt');
    second.lock('a.txt');
    const other = second.call('Write', { file_path: at.path('a.txt'), content: 'y' });
    expect(wrongs(second.pre(other))).toEqual(['WRITE_IN_FLIGHT']);
    first.failed(call, 'The user rejected it.');
    expect(second.pre(other)).toMatchObject({ exit: 0, denial: null });
  });
});
