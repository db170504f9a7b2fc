/** Commands in which an agent claims to be another one. */
import { describe, expect, it } from 'vitest';
import { GUARD, type Scratch, working, wrongs } from '../claude/driver.ts';
import { installed } from './installed.ts';

const holderOf = (at: Scratch, file: string): unknown =>
  (at.guard('lock', 'status', file, '--json').json() as { results: { holder: unknown }[] }).results[0]
    ?.holder;

describe('it speaks as another agent', () => {
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

  it('a subagent: however it calls guard, it is itself or nobody', () => {
    const at = installed();
    const agent = working(at);
    const [one, two] = [agent.subagent('sub-one'), agent.subagent('sub-two')];
    one.fire('SubagentStart');
    two.fire('SubagentStart');
    one.lock('a.txt');
    const guard = `${process.execPath} ${GUARD}`;
    const release = `${guard} lock release a.txt`;
    for (const line of [
      `g="${guard}"; $g lock release a.txt`,
      `echo "${release}" > s.sh; sh s.sh`,
      `bash -c "${release}"`,
      `${release} --agent ${one.name}`,
      `GUARD_AGENT_ID=${one.name} ${release}`,
      `${release}\n# guard:sub-one 00000000`,
    ])
      two.bash(line);
    expect(holderOf(at, 'a.txt')).toBe(one.name);
    expect(at.log('release')).toEqual([]);
    expect(two.bash(`g="${guard}"; $g --no-color lock try b.txt`).stderr).toBe('');
    expect(holderOf(at, 'b.txt')).toBe(two.name);
    expect(two.bash(`exec ${guard} lock try c.txt --json`).json()).toMatchObject({
      error: { code: 'GUARD_ERR_SPEAKER' },
    });
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

  it('by an event in its name, sent to the hook from a session of its own: it keeps its holder', () => {
    const at = installed();
    const [agent, other] = [working(at), working(at)];
    other.lock('a.txt');
    at.hook(other.payload('SessionEnd', { reason: 'other' }), { CLAUDE_CODE_SESSION_ID: agent.id });
    expect(holderOf(at, 'a.txt')).toBe(other.name);
  });
});
