/** PreToolUse of Bash: a subagent's guard calls are told whose they are; nothing else of the command is touched. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { GUARD, oneAgent, Session, working } from './driver.ts';

const rewritten = (agent: Session, command: string, more: object = {}): unknown => {
  const answer = agent.pre(agent.call('Bash', { command, ...more }));
  expect([answer.exit, answer.stderr]).toEqual([0, '']);
  return answer.updated?.['command'] ?? null;
};

describe('a subagent', () => {
  it('gets a lock under its own name with the command that its denial names, through sh', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    const child = agent.subagent('s1');
    const [step = ''] = child.write('a.txt', 'x').pre.denial?.details.next ?? [];
    const command = rewritten(child, `${step} && echo done`);
    const told = execFileSync('sh', ['-c', String(command)], {
      cwd: at.root,
      env: { ...at.env, ...agent.env },
      encoding: 'utf8',
    });
    expect(told).toMatch(/locked .*\ndone\n$/);
    expect(child.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
    expect(at.log('hold')[0]).toMatchObject({ agent: child.name });
  });

  it('keeps every other field of the call', () => {
    const { agent } = oneAgent();
    const call = agent.call('Bash', { command: 'guard lock try a', description: 'x', timeout: 5 });
    expect(agent.subagent('s1').pre(call).updated).toEqual({
      command: `guard lock try --agent ${agent.name}/s1 a`,
      description: 'x',
      timeout: 5,
    });
  });

  it('cannot act for another agent of its session, also not with a second or a computed --agent', () => {
    const { at, agent } = oneAgent();
    const [one, two] = [agent.subagent('s1'), agent.subagent('s2')];
    one.lock('a.txt');
    for (const attempt of [
      `lock release a.txt --agent ${one.name}`,
      `lock release a.txt --agent=${one.name} --agent ${one.name}`,
      `lock release a.txt $(echo --agent ${one.name})`,
      `lock release --all-held "--agent" '${one.name}'`,
    ]) {
      const command = String(rewritten(two, `node ${GUARD} ${attempt}`));
      try {
        execFileSync('sh', ['-c', command], {
          cwd: at.root,
          env: { ...at.env, ...agent.env },
          stdio: 'pipe',
        });
      } catch {
        // Refused is fine as well.
      }
      const status = at.guard('lock', 'status', 'a.txt', '--json').json();
      expect(status, attempt).toMatchObject({ results: [{ holder: one.name }] });
    }
  });
});

describe('what is left alone', () => {
  it('the main agent, whose session the command knows by itself', () => {
    const { at, agent } = oneAgent();
    const call = agent.call('Bash', { command: 'guard lock try a.txt' });
    expect(agent.pre(call).stdout).toBe('');
    agent.lock('a.txt');
    expect(at.log('hold')[0]).toMatchObject({ agent: agent.name });
  });

  it('commands of a subagent that only mention guard', () => {
    const { agent } = oneAgent();
    const child = agent.subagent('s1');
    for (const command of [
      'ls',
      'git commit -m "guard lock try"',
      'grep -rn guard src',
      'cat guard',
      'echo guard lock try a',
    ]) {
      expect(rewritten(child, command), command).toBeNull();
    }
  });
});

describe('an agent that its command would not know', () => {
  it('the second process of a session is named ~2', () => {
    const { at, agent } = oneAgent();
    const twin = working(at, { id: agent.id });
    expect(rewritten(twin, 'guard lock try a.txt')).toBe(`guard lock try --agent '${agent.name}~2' a.txt`);
  });

  it('a session whose client does not put its id into the environment of commands is named', () => {
    const { at } = oneAgent();
    const old = new Session(at, { pid: null });
    const event = old.payload('PreToolUse', {
      tool_name: 'Bash',
      tool_input: { command: 'guard lock try a.txt' },
      tool_use_id: 't',
    });
    const answer = at.hook(event, {});
    expect(answer.updated?.['command']).toBe(`guard lock try --agent ${old.name} a.txt`);
  });
});

describe('a command that is run while a write is still open', () => {
  it('ends it: calls that write come one after the other', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.lock('a.txt');
    agent.pre(agent.call('Write', { file_path: at.path('a.txt'), content: 'x' }));
    agent.pre(agent.call('Bash', { command: 'ls' }));
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ writing: [] }] });
  });
});
