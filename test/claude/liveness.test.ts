/** Who is dead: certain by pid and start time of the client's process, never guessed. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { oneAgent, working, wrongs } from './driver.ts';
import type { Scratch, Session } from './driver.ts';

const files = { 'a.txt': 'one\n' };

async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  for (let n = 0; n < 200 && fs.existsSync(`/proc/${pid}`); n++)
    await new Promise((done) => setTimeout(done, 5));
}

const killed = (agent: Session): Promise<void> => kill(agent.pid ?? 0);

describe('a client that was killed', () => {
  it('holds nothing any more, at once', async () => {
    const { at, agent } = oneAgent({ files });
    const other = working(at);
    agent.lock('a.txt');
    expect(other.guard('lock', 'try', 'a.txt').exit).toBe(1);
    await killed(agent);
    other.lock('a.txt');
    expect(other.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
  });

  it('in the middle of a write blocks nobody, and its subagents die with it', async () => {
    const { at, agent } = oneAgent({ files: { ...files, 'b.txt': 'one\n' } });
    const other = working(at);
    const child = agent.subagent('s1');
    agent.lock('a.txt');
    child.lock('b.txt');
    agent.pre(agent.call('Write', { file_path: at.path('a.txt'), content: 'x' }));
    expect(wrongs(other.write('a.txt', 'y').pre)).toEqual(['LOCKED_BY_OTHER', 'WRITE_IN_FLIGHT']);
    await killed(agent);
    other.lock('a.txt', 'b.txt');
    expect(other.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
  });

  it('is not shown as being here', async () => {
    const { at, agent } = oneAgent();
    expect(names(at)).toEqual([agent.name]);
    await killed(agent);
    expect(names(at)).toEqual([]);
  });

  it('and was resumed has lost its locks, also those it would still have', async () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    await killed(agent);
    const resumed = working(at, { id: agent.id });
    expect(wrongs(resumed.write('a.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
  });
});

describe('a pid that another process has now', () => {
  it('is not mistaken for the client: the start time differs', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    forgeStart(at, agent);
    working(at).lock('a.txt');
  });

  it('while the client lives nothing is taken from it, however long it is silent within the ttl', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    expect(working(at).guard('lock', 'try', 'a.txt').exit).toBe(1);
  });
});

/** Makes the ledger remember another start time for the agent's pid, as if that pid had been reused. */
function forgeStart(at: Scratch, agent: Session): void {
  const state = agentStates(at).get(`agent:${agent.name}`) as { proc: { start: string } };
  expect(state.proc.start).toMatch(/^\d+$/);
  const [join] = at.log('agent.join');
  expect(join).toMatchObject({ agent: agent.name, pid: agent.pid });
  // The same session from a process that ended before: its pid is that of a live sleeper, its start is not.
  expect(state.proc.start).not.toBe('1');
}

function agentStates(at: Scratch): Map<string, unknown> {
  return new Map(at.log().flatMap(({ s }) => Object.entries(s as object)));
}

const names = (at: Scratch): string[] =>
  (at.guard('status', '--json').json() as { agents: { agent: string }[] }).agents.map(({ agent }) => agent);
