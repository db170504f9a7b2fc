/** Commands in which an agent says that it is another one. */
import { describe, expect, it } from 'vitest';
import { working, wrongs } from '../claude/driver.ts';
import type { Scratch } from '../claude/driver.ts';
import { installed } from './installed.ts';

const holderOf = (at: Scratch, file: string): unknown =>
  (at.guard('lock', 'status', file, '--json').json() as { results: { holder: unknown }[] }).results[0]
    ?.holder;

describe('it locks in the name of another agent', () => {
  it('inside a session: refused, and nobody holds the file', () => {
    const at = installed();
    const [agent, other] = [working(at), working(at)];
    const ways = [
      agent.guard('lock', 'try', 'a.txt', '--agent', other.name),
      agent.guard('lock', 'try', 'a.txt', '--agent', 'somebody'),
      at.guardWith({ ...agent.env, GUARD_AGENT_ID: other.name }, 'lock', 'try', 'b.txt'),
    ];
    expect(ways.slice(0, 2).map(({ exit }) => exit)).toEqual([64, 64]);
    expect(holderOf(at, 'a.txt')).toBeNull();
    expect([null, agent.name]).toContain(holderOf(at, 'b.txt'));
  });

  it('a subagent: the hook puts its own name into the call, and that counts, whatever it says itself', () => {
    const agent = working(installed());
    const [one, two] = [agent.subagent('sub-one'), agent.subagent('sub-two')];
    one.fire('SubagentStart');
    two.fire('SubagentStart');
    const said = (command: string): string =>
      JSON.stringify(one.pre(one.call('Bash', { command })).updated?.['command'] ?? '');
    expect(said('guard lock try a.txt')).toContain('sub-one');
    const put_right = said(`cd src && guard lock try a.txt --agent ${two.name}`);
    expect(put_right.lastIndexOf('sub-one')).toBeGreaterThan(put_right.lastIndexOf('sub-two'));
  });

  it.fails('a subagent in a call that is not spelled plainly: the hook puts its own name in', () => {
    const agent = working(installed());
    const one = agent.subagent('sub-one');
    one.fire('SubagentStart');
    for (const command of ['guard --no-color lock release a.txt', 'g=guard; $g lock release a.txt'])
      expect(one.pre(one.call('Bash', { command })).updated?.['command'], command).toContain('sub-one');
  });
});

describe('it releases the lease of another agent', () => {
  it('inside a session: it keeps its holder, who may still write', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const [agent, other] = [working(at), working(at)];
    other.lock('a.txt');
    const ways = [
      agent.guard('lock', 'release', 'a.txt'),
      agent.guard('lock', 'release', '--all-held'),
      agent.guard('leave'),
      agent.guard('lock', 'release', 'a.txt', '--agent', other.name),
    ];
    expect(ways.at(-1)?.exit).toBe(64);
    expect(holderOf(at, 'a.txt')).toBe(other.name);
    expect(wrongs(other.write('a.txt', 'x').pre)).toEqual([]);
    expect(at.log('release').filter(({ agent: whose }) => whose === other.name)).toEqual([]);
  });

  it('by a process outside of one, under its name: it is free, and the ledger has whose it was', () => {
    const at = installed();
    const other = working(at);
    other.lock('a.txt');
    expect(at.guard('lock', 'release', 'a.txt').exit).not.toBe(64);
    expect(holderOf(at, 'a.txt')).toBe(other.name);
    expect(at.guard('lock', 'release', 'a.txt', '--agent', other.name).exit).toBe(0);
    expect(holderOf(at, 'a.txt')).toBeNull();
    expect(at.log('release')).toMatchObject([{ agent: other.name, paths: ['a.txt'] }]);
  });

  it.fails('by an event in its name, sent to the hook from a session of its own: it keeps its holder', () => {
    const at = installed();
    const [agent, other] = [working(at), working(at)];
    other.lock('a.txt');
    at.hook(other.payload('SessionEnd', { reason: 'other' }), { CLAUDE_CODE_SESSION_ID: agent.id });
    expect(holderOf(at, 'a.txt')).toBe(other.name);
  });
});
