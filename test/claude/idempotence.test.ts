/** The settings and a plugin may both run the hook: every event may arrive twice, and the second changes nothing. */
import { describe, expect, it } from 'vitest';
import { type Answer, disk, oneAgent, type Session, working, wrongs } from './driver.ts';

const files = { 'a.txt': 'one\ntwo\n' };
const twice = (event: () => Answer): [Answer, Answer] => [event(), event()];

describe('every event twice', () => {
  it('a whole turn goes as with every event once', () => {
    const { at, agent } = oneAgent({ files });
    twice(() => agent.start());
    twice(() => agent.prompt());
    agent.lock('a.txt');
    twice(() => agent.read('a.txt'));
    const file_path = at.path('a.txt');
    const call = agent.call('Edit', { file_path, old_string: 'one', new_string: 'ONE', replace_all: false });
    expect(twice(() => agent.pre(call)).map(({ exit }) => exit)).toEqual([0, 0]);
    const response = disk.edit(file_path, 'one', 'ONE');
    expect(twice(() => agent.post(call, response)).map(({ stdout, stderr }) => stdout + stderr)).toEqual([
      '',
      '',
    ]);
    twice(() => agent.batch(call));
    expect(agent.edit('a.txt', 'two', 'TWO').post?.exit).toBe(0);
    twice(() => agent.stop());
    agent.silent(3_000);
    expect(at.log('write')).toHaveLength(2);
    expect(at.log('intent')).toHaveLength(2);
    expect(at.log('bypass')).toEqual([]);
    expect(at.log('agent.join')).toHaveLength(1);
    expect(agent.edit('a.txt', 'TWO', 'two').pre.denial?.error_type).toBe('NOT_LOCKED');
  });

  it('a prompt is one more turn, which costs nothing: the same content needs no new read', () => {
    const { agent } = oneAgent({ files });
    agent.read('a.txt');
    twice(() => agent.prompt());
    agent.lock('a.txt');
    expect(agent.edit('a.txt', 'one', 'ONE').post?.exit).toBe(0);
  });

  it('a failure and a death notice end once', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    const call = agent.call('Write', { file_path: at.path('a.txt'), content: 'x' });
    agent.pre(call);
    twice(() => agent.failed(call, 'no'));
    twice(() => agent.end());
    expect(at.log('agent.leave').length).toBeLessThanOrEqual(2);
    working(at).lock('a.txt');
  });

  it('a denial is one record and one denial in the count', () => {
    const { at, agent } = oneAgent({ files });
    const call = agent.call('Write', { file_path: at.path('a.txt'), content: 'x' });
    expect(twice(() => agent.pre(call)).map(wrongs)).toEqual([['NOT_LOCKED'], ['NOT_LOCKED']]);
    expect(denials(agent)).toBe(1);
  });

  it('a raced write stays raced: the second telling does not count as having seen', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    agent.read('a.txt');
    const call = agent.call('Write', { file_path: at.path('a.txt'), content: 'mine\n' });
    agent.pre(call);
    at.put('a.txt', 'theirs\n');
    const response = disk.write(at.path('a.txt'), 'mine\n');
    const [first, second] = twice(() => agent.post(call, response));
    expect([first.context, second.context]).toEqual([
      expect.stringContaining('changed by someone else') as string,
      '',
    ]);
    expect(wrongs(agent.edit('a.txt', 'mine', 'x').pre)).toEqual(['STALE_FILE']);
  });
});

const denials = (agent: Session): number => {
  const { agents } = agent.scratch.guard('status', '--json').json() as {
    agents: { agent: string; denials: number }[];
  };
  return agents.find((one) => one.agent === agent.name)?.denials ?? 0;
};
