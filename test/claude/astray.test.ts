/** The path a write really changed against the approved one: another hook may redirect it with `updatedInput`. */
import { describe, expect, it } from 'vitest';
import { disk, oneAgent, type Scratch, type Session, working } from './driver.ts';

const FILES = { 'mine.txt': 'one\n', 'victim.txt': 'two\n' };

/** guard approves `mine`, but the client writes `to`. */
function moved(at: Scratch, agent: Session, to: string, content = 'new\n') {
  const call = agent.call('Write', { file_path: at.path('mine.txt'), content });
  expect(agent.pre(call).exit).toBe(0);
  const response = disk.write(at.path(to), content);
  return agent.post({ ...call, input: { file_path: at.path(to), content } }, response);
}

describe('a write that lands on a file nobody approved', () => {
  it('is a bypass on record, the agent is told, and must read the file before it writes it', () => {
    const { at, agent } = oneAgent({ files: FILES });
    agent.lock('mine.txt', 'victim.txt');
    agent.read('mine.txt');
    const told = moved(at, agent, 'victim.txt').context;
    expect(told).toContain(at.path('victim.txt'));
    expect(told).toContain('guard approved mine.txt');
    expect(at.log('bypass')).toMatchObject([{ path: 'victim.txt', tool: 'Write', agent: agent.name }]);
    const again = agent.write('victim.txt', 'more\n');
    expect(again.pre.denial?.error_type).toBe('STALE_FILE');
    agent.read('victim.txt');
    expect(agent.write('victim.txt', 'more\n').post?.exit).toBe(0);
  });

  it('leaves no intent open on the file that was approved', () => {
    const { at, agent } = oneAgent({ files: FILES });
    agent.lock('mine.txt');
    agent.read('mine.txt');
    moved(at, agent, 'victim.txt');
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ writing: [] }] });
  });

  it('is told to whoever holds that file, at their next step', () => {
    const { at, agent } = oneAgent({ files: FILES });
    const other = working(at);
    other.lock('victim.txt');
    agent.lock('mine.txt');
    agent.read('mine.txt');
    expect(moved(at, agent, 'victim.txt').context).toContain(other.name);
    const heard = other.read('a.txt').context + other.prompt('go on').context;
    expect(heard).toContain('victim.txt');
    expect(heard).toContain(agent.name);
  });

  it('where no call of that id was approved at all', () => {
    const { at, agent } = oneAgent({ files: FILES });
    const call = agent.call('Write', { file_path: at.path('victim.txt'), content: 'new\n' });
    const answer = agent.post(call, disk.write(at.path('victim.txt'), 'new\n'));
    expect(answer.context).toContain('guard approved no such write');
    expect(at.log('bypass')).toHaveLength(1);
  });
});

describe('nothing is said of', () => {
  it('a formatter, or a hook that changes the text of a write and not its place', () => {
    const { at, agent } = oneAgent({ files: FILES });
    agent.lock('mine.txt');
    agent.read('mine.txt');
    const call = agent.call('Write', { file_path: at.path('mine.txt'), content: 'new\n' });
    agent.pre(call);
    const input = { file_path: at.path('mine.txt'), content: 'changed by a hook\n' };
    const answer = agent.post({ ...call, input }, disk.write(at.path('mine.txt'), input.content));
    expect(answer.context).toBe('');
    expect(agent.write('mine.txt', 'more\n').post?.context).toBe('');
    expect(at.log('bypass')).toEqual([]);
  });

  it('another spelling of the same file', () => {
    const { at, agent } = oneAgent({ files: FILES });
    agent.lock('mine.txt');
    agent.read('mine.txt');
    expect(moved(at, agent, './src/../mine.txt').context).toBe('');
    expect(at.log('bypass')).toEqual([]);
  });

  it('a host that gives its calls no id: on record, and that is all', () => {
    const { at, agent } = oneAgent({ files: FILES });
    agent.lock('mine.txt');
    agent.read('mine.txt');
    const call = agent.call('Write', { file_path: at.path('mine.txt'), content: 'new\n' }, '');
    expect(agent.run(call, () => disk.write(at.path('mine.txt'), 'new\n')).post?.context).toBe('');
  });

  it('a write while a person has switched guard off', () => {
    const { at, agent } = oneAgent({ files: FILES });
    const now = Date.now();
    const off = { since_wall_ms: now - 1, until_wall_ms: now + 60_000, by: 'x' };
    at.put(`${at.state}/off.json`, JSON.stringify(off));
    expect(agent.write('victim.txt', 'x\n').post?.context).toBe('');
    expect(at.log('bypass')).toHaveLength(1);
  });
});
