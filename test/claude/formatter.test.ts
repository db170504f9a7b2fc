/** Formatters that rewrite a file right after the agent's own write: reported, seen, never a loop of denials. */
import { describe, expect, it } from 'vitest';
import { oneAgent, type Scratch, type Session, working, wrongs } from './driver.ts';

const CODE = 'const a = 1;\nconst b = 2;\n';

function coder(): { at: Scratch; agent: Session } {
  const { at, agent } = oneAgent({ files: { 'a.ts': CODE } });
  agent.lock('a.ts');
  agent.read('a.ts');
  return { at, agent };
}

describe('a formatter hook', () => {
  it('that runs after PostToolUse is told at the end of the batch, and the next edit passes', () => {
    const { at, agent } = coder();
    const { call, post } = agent.edit('a.ts', 'const a = 1', 'const a=11');
    expect(post?.stdout).toBe('');
    at.put('a.ts', 'const a = 11;\nconst b = 2;\n');
    const { context } = agent.batch(call);
    expect(context).toContain('-const a=11;');
    expect(context).toContain('+const a = 11;');
    expect(agent.edit('a.ts', 'const a = 11', 'const a = 12').post?.exit).toBe(0);
  });

  it('that ran before PostToolUse is told there, and the next edit passes', () => {
    const { at, agent } = coder();
    const formatted = 'const a = 11;\nconst b = 2;\n';
    const { post } = agent.edit('a.ts', 'const a = 1', 'const a=11', {
      after: () => at.put('a.ts', formatted),
    });
    expect(post?.context).toContain('+const a = 11;');
    expect(agent.edit('a.ts', 'const a = 11', 'const a = 12').post?.exit).toBe(0);
  });

  it('that runs after every write of a turn never causes a denial', () => {
    const { at, agent } = coder();
    for (let n = 0; n < 3; n++) {
      const { pre, call } = agent.edit('a.ts', `const a = ${n + 1}`, `const a=${n + 2}`);
      expect(pre.exit).toBe(0);
      at.put('a.ts', `const a = ${n + 2};\nconst b = 2;\n`);
      expect(agent.batch(call).context).toContain(`+const a = ${n + 2};`);
    }
    expect(at.log('write.rejected')).toEqual([]);
  });

  it('that changes too much to be told costs one denial and one read', () => {
    const { at, agent } = coder();
    const { call } = agent.edit('a.ts', 'const a = 1', 'const a=11');
    at.put('a.ts', Array.from({ length: 2_000 }, (_, n) => `const formatted_${n} = ${n};\n`).join(''));
    expect(agent.batch(call).context).toContain('by too much to show here');
    expect(wrongs(agent.edit('a.ts', 'formatted_7 ', 'x ').pre)).toEqual(['STALE_FILE']);
    agent.read('a.ts');
    expect(agent.edit('a.ts', 'formatted_7 ', 'x ').post?.exit).toBe(0);
  });

  it('that leaves the file alone is not mentioned', () => {
    const { agent } = coder();
    const { call } = agent.edit('a.ts', 'const a = 1', 'const a = 11');
    expect(agent.batch(call)).toMatchObject({ exit: 0, stdout: '' });
  });
});

describe('what is no formatter', () => {
  it('another agent that wrote the file after this one: nothing is told, the next write is stale', () => {
    const { at, agent } = oneAgent({ files: { 'a.ts': CODE }, init: ['--preset', 'auto'] });
    agent.read('a.ts');
    const { call } = agent.edit('a.ts', 'const a = 1', 'const a = 11');
    agent.guard('lock', 'release', '--all-held');
    const other = working(at);
    other.read('a.ts');
    expect(other.edit('a.ts', 'const b = 2', 'const b = 3').post?.exit).toBe(0);
    other.stopped();
    expect(agent.batch(call).stdout).toBe('');
    expect(wrongs(agent.edit('a.ts', 'const a = 11', 'x').pre)).toEqual(['STALE_FILE']);
  });

  it('a subagent of the same session that wrote the file counts as another agent', () => {
    const { agent } = coder();
    const { call } = agent.edit('a.ts', 'const a = 1', 'const a = 11');
    const child = agent.subagent('s1');
    child.lock('a.ts');
    child.read('a.ts');
    child.edit('a.ts', 'const b = 2', 'const b = 3');
    const told = agent.batch(call).stdout;
    expect(told).toContain('went to your subagent');
    expect(told).not.toContain('const b');
    expect(wrongs(agent.write('a.ts', 'x').pre)[0]).toBe('STALE_FILE');
  });
});

describe('a write that raced', () => {
  it('(the content was replaced between the approval and the tool) is recorded and told, and must be read again', () => {
    const { at, agent } = coder();
    const { post } = agent.write('a.ts', 'mine\n', { before: () => at.put('a.ts', 'theirs\n') });
    expect(post?.context).toContain('changed by someone else');
    expect(at.log('write.raced')[0]).toMatchObject({ agent: agent.name, path: 'a.ts', original: 'other' });
    expect(wrongs(agent.edit('a.ts', 'mine', 'x').pre)).toEqual(['STALE_FILE']);
    agent.read('a.ts');
    expect(agent.edit('a.ts', 'mine', 'x').post?.exit).toBe(0);
  });

  it('over a file that appeared meanwhile is recorded too', () => {
    const { at, agent } = coder();
    agent.lock('new.ts');
    agent.write('new.ts', 'mine\n', { before: () => at.put('new.ts', 'theirs\n') });
    expect(at.log('write.raced')[0]).toMatchObject({ path: 'new.ts' });
  });
});
