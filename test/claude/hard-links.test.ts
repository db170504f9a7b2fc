/** One file with several names: a lease covers one name, and the other writer is notified. */
import { linkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { oneAgent, working } from './driver.ts';

const files = { 'a.txt': 'one\n' };

function twoNames() {
  const { at, agent } = oneAgent({ files });
  linkSync(at.path('a.txt'), at.path('b.txt'));
  return { at, agent, other: working(at) };
}

describe('a hard link', () => {
  it('to a file that another agent has locked is written, and the writer is told whose file it is', () => {
    const { agent, other } = twoNames();
    agent.lock('a.txt');
    other.read('b.txt');
    other.lock('b.txt');
    const { pre, post } = other.edit('b.txt', 'one', 'two');
    expect(post?.exit).toBe(0);
    expect(pre.context).toContain(agent.name);
    expect(pre.context).toContain('a.txt');
  });

  it('says nothing where nobody else, or the same agent, holds the other name', () => {
    const { other } = twoNames();
    other.read('b.txt');
    other.lock('b.txt', 'a.txt');
    expect(other.edit('b.txt', 'one', 'two').pre.context).toBe('');
  });
});
