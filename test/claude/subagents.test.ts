/** Subagents are separate agents that share their parent's process. */
import { describe, expect, it } from 'vitest';
import { oneAgent, type Scratch, Session, wrongs } from './driver.ts';

const files = { 'a.txt': 'one\n', 'b.txt': 'one\n' };
const holder = (at: Scratch, file = 'a.txt'): unknown =>
  (at.guard('lock', 'status', file, '--json').json() as { results: { holder: unknown }[] }).results[0]
    ?.holder;

describe('a subagent', () => {
  it('has baselines, locks and denials of its own', () => {
    const { at, agent } = oneAgent({ files });
    const child = agent.subagent('s1');
    child.fire('SubagentStart');
    agent.lock('a.txt');
    agent.read('a.txt');
    at.put('a.txt', 'theirs\n');
    expect(wrongs(child.edit('a.txt', 'theirs', 'x').pre)).toEqual(['UNREAD_FILE', 'NOT_LOCKED']);
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['STALE_FILE']);
    expect(at.log('write.rejected').map(({ agent: who }) => who)).toEqual([child.name, agent.name]);
  });

  it('keeps its turn when the session is prompted in its middle', () => {
    const { at, agent } = oneAgent({ files });
    const child = agent.subagent('s1');
    child.fire('SubagentStart');
    child.lock('a.txt');
    child.read('a.txt');
    agent.prompt('something else meanwhile');
    at.put('a.txt', 'theirs\n');
    expect(wrongs(child.write('a.txt', 'x').pre)).toEqual(['STALE_FILE']);
  });

  it('takes over a lock of its parent, with a new token: delegating does not deadlock', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    const child = agent.subagent('s1');
    child.fire('SubagentStart');
    child.lock('a.txt');
    expect(child.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
    expect(holder(at)).toBe(child.name);
    expect(wrongs(agent.write('a.txt', 'x').pre)).toContain('LOCKED_BY_OTHER');
    expect(at.log('revoke')[0]).toMatchObject({ agent: agent.name, to: child.name, cause: 'delegated' });
  });

  it('does not take over in the middle of a write of its parent', () => {
    const { agent } = oneAgent({ files });
    agent.lock('a.txt');
    agent.pre(agent.call('Write', { file_path: agent.scratch.path('a.txt'), content: 'x' }));
    const child = agent.subagent('s1');
    expect(child.guard('lock', 'try', 'a.txt').exit).toBe(1);
  });

  it('and its sibling are two: one lock, one writer', () => {
    const { agent } = oneAgent({ files });
    const [one, two] = [agent.subagent('s1'), agent.subagent('s2')];
    one.lock('a.txt');
    const denied = two.write('a.txt', 'x').pre;
    expect(denied.denial?.details['holder']).toBe(one.name);
  });

  it('in a worktree of its own locks and writes there: the same name in another checkout is another file', () => {
    const { at, agent } = oneAgent({ files });
    at.git('add', 'a.txt');
    at.git('-c', 'user.email=a@b', '-c', 'user.name=x', 'commit', '-q', '-m', 'x');
    at.git('worktree', 'add', '-q', `${at.home}/wt`);
    agent.lock('a.txt');
    const child = new Session(at, { id: agent.id, pid: agent.pid, agent: 's1', cwd: `${at.home}/wt` });
    child.fire('SubagentStart');
    child.read(`${at.home}/wt/a.txt`);
    const [next = ''] = child.edit(`${at.home}/wt/a.txt`, 'one', 'two').pre.denial?.details.next ?? [];
    expect(child.guard(...next.split(' ').slice(2)).exit).toBe(0);
    expect(child.edit(`${at.home}/wt/a.txt`, 'one', 'two').post?.exit).toBe(0);
    expect([holder(at), holder(at, `${at.home}/wt/a.txt`)]).toEqual([agent.name, child.name]);
  });

  it('with an empty agent_id is none', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    const same = agent.subagent('');
    expect(same.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
    expect(at.log('write')[0]).toMatchObject({ agent: agent.name });
  });
});

describe('SubagentStop', () => {
  it('releases the locks of the subagent, never those of its parent', () => {
    const { at, agent } = oneAgent({ files });
    const child = agent.subagent('s1');
    agent.lock('a.txt');
    child.lock('b.txt');
    child.fire('SubagentStop', { background_tasks: [] });
    expect([holder(at, 'a.txt'), holder(at, 'b.txt')]).toEqual([agent.name, null]);
  });

  it('keeps what a background command of the subagent may still write to', () => {
    const { at, agent } = oneAgent({ files });
    const child = agent.subagent('s1');
    child.lock('b.txt');
    child.post(child.call('Bash', { command: 'make' }), { backgroundTaskId: 'b1' });
    const task = { id: 'b1', type: 'shell', status: 'running' };
    child.fire('SubagentStop', { background_tasks: [task] });
    expect(holder(at, 'b.txt')).toBe(child.name);
    child.fire('SubagentStart');
    child.fire('SubagentStop', { background_tasks: [] });
    expect(holder(at, 'b.txt')).toBeNull();
  });

  it('is not final: a subagent that is woken again joins again', () => {
    const { at, agent } = oneAgent({ files });
    const child = agent.subagent('s1');
    child.lock('b.txt');
    child.fire('SubagentStop', { background_tasks: [] });
    child.lock('b.txt');
    expect(child.edit('b.txt', 'one', 'two').post?.exit).toBe(0);
    expect(holder(at, 'b.txt')).toBe(child.name);
  });

  it('of a compaction, whose agent never joined, leaves no trace', () => {
    const { at, agent } = oneAgent({ files });
    const before = at.log().length;
    expect(agent.subagent('a-compaction').fire('SubagentStop', {})).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: '',
    });
    expect(at.log()).toHaveLength(before);
  });
});

describe('what was refused to a subagent', () => {
  it('is summed up for the parent when the Agent tool call ends', () => {
    const { agent } = oneAgent({ files });
    const child = agent.subagent('s1');
    child.write('a.txt', 'x');
    child.write('b.txt', 'x');
    const call = agent.call('Agent', { description: 'x', prompt: 'y' });
    const { context } = agent.post(call, { status: 'completed', agentId: 's1' });
    expect(context).toContain(`guard refused 2 writes of subagent ${child.name}`);
    const log = /Details: (.*)$/.exec(context)?.[1] ?? '';
    const told = agent.scratch.guard(...log.split(' ').slice(2), '--json');
    expect(told.lines()).toHaveLength(2);
  });

  it('is not told where it was written later, and told of the file that was not', () => {
    const { agent } = oneAgent({ files });
    const child = agent.subagent('s1');
    const done = () => agent.post(call, { status: 'completed', agentId: 's1' }).context;
    const call = agent.call('Agent', { description: 'x', prompt: 'y' });
    for (const file of ['a.txt', 'a.txt', 'b.txt'])
      expect(wrongs(child.write(file, 'x').pre)).toEqual(['NOT_LOCKED']);
    child.lock('a.txt', 'b.txt');
    child.write('a.txt', 'x');
    expect(done()).toContain(
      `guard refused 1 write of subagent ${child.name} ("b.txt"); its work may be incomplete`,
    );
    child.write('b.txt', 'x');
    expect(done()).toBe('');
    child.guard('lock', 'release', '--all-held');
    child.write('a.txt', 'y');
    expect(done()).toContain('("a.txt")');
  });

  it('in an earlier run of the same subagent, is not told again', () => {
    const { agent } = oneAgent({ files });
    const child = agent.subagent('s1');
    const call = agent.call('Agent', { description: 'x', prompt: 'y' });
    child.fire('SubagentStart');
    child.write('a.txt', 'x');
    child.fire('SubagentStart');
    expect(agent.post(call, { status: 'completed', agentId: 's1' }).context).toBe('');
  });

  it('is told with the notification that a background subagent ended', () => {
    const { agent } = oneAgent({ files });
    const child = agent.subagent('s1');
    child.write('a.txt', 'x');
    child.fire('SubagentStop', { background_tasks: [] });
    const { context } = agent.prompt(
      '<task-notification>\n<task-id>s1</task-id>\n<status>completed</status>\n</task-notification>',
    );
    expect(context).toContain('guard refused 1 write of');
  });

  it('is not mentioned when there was nothing, or when the subagent only was launched', () => {
    const { agent } = oneAgent({ files });
    const call = agent.call('Agent', { description: 'x', prompt: 'y' });
    agent.subagent('s2').write('a.txt', 'x');
    expect(agent.post(call, { status: 'async_launched', agentId: 's2' }).stdout).toBe('');
    expect(agent.post(call, { status: 'completed', agentId: 's1' }).stdout).toBe('');
  });
});

describe('clients up to 2.1.50, which do not tell subagents apart', () => {
  it('parent and child are one agent: they share the lock and the baseline', () => {
    const { at, agent } = oneAgent({ files }, { pid: null });
    agent.lock('a.txt');
    agent.read('a.txt');
    expect(agent.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
    expect(holder(at)).toBe(agent.name);
  });
});
