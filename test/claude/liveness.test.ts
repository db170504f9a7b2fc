/** Which agents are dead: known from the pid and start time of the client's process, never guessed. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/core/ledger.ts';
import { readNow } from '../../src/repo/clock.ts';
import { openEmbedded } from '../store/plain.ts';
import { kill, oneAgent, type Scratch, type Session, working, wrongs } from './driver.ts';

const files = { 'a.txt': 'one\n' };

describe('a client that was killed', () => {
  it('holds nothing any more, at once', () => {
    const { at, agent } = oneAgent({ files });
    const other = working(at);
    agent.lock('a.txt');
    expect(other.guard('lock', 'try', 'a.txt').exit).toBe(1);
    kill(agent);
    other.lock('a.txt');
    expect(other.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
  });

  it('in the middle of a write blocks nobody, and its subagents die with it', () => {
    const { at, agent } = oneAgent({ files: { ...files, 'b.txt': 'one\n' } });
    const other = working(at);
    const child = agent.subagent('s1');
    agent.lock('a.txt');
    child.lock('b.txt');
    agent.pre(agent.call('Write', { file_path: at.path('a.txt'), content: 'x' }));
    expect(wrongs(other.write('a.txt', 'y').pre)).toEqual(['LOCKED_BY_OTHER', 'WRITE_IN_FLIGHT']);
    kill(agent);
    other.lock('a.txt', 'b.txt');
    expect(other.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
  });

  it('is not shown as being here', () => {
    const { at, agent } = oneAgent();
    expect(names(at)).toEqual([agent.name]);
    kill(agent);
    expect(names(at)).toEqual([]);
  });

  it('and was resumed has lost its locks, also those it would still have', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    kill(agent);
    const resumed = working(at, { id: agent.id });
    expect(wrongs(resumed.write('a.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
  });
});

describe('a pid that another process has now', () => {
  it('is not mistaken for the client: the start time differs, so the client is gone', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    const other = working(at);
    expect(other.guard('lock', 'try', 'a.txt').exit).toBe(1);
    reusePid(at, agent);
    expect(names(at)).toEqual([other.name]);
    other.lock('a.txt');
    expect(other.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
  });

  it('does not make the other process the agent that had it: the session goes on as a new life of its own', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    reusePid(at, agent);
    agent.prompt();
    expect(at.log('agent.join').map(({ how }) => how)).toEqual(['joined', 'returned']);
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
  });

  it('of another machine, boot or pid namespace says nothing: unsure is alive', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    for (const mark of [{ pid_ns: 'pid:[1]' }, { machine: 'another' }]) {
      changeState(at, agent, (state) => ({
        ...state,
        proc: { ...state.proc, start: '1', pid: 999_999_999, ...mark },
      }));
      expect(working(at).guard('lock', 'try', 'a.txt').exit, JSON.stringify(mark)).toBe(1);
    }
  });
});

type AgentState = Readonly<Record<string, unknown>> & { readonly proc: { readonly start: string } };

/** Simulates that the agent's process ended and the sleeper got its pid. */
const reusePid = (at: Scratch, agent: Session): void =>
  changeState(at, agent, (state) => ({ ...state, proc: { ...state.proc, start: `${state.proc.start}9` } }));

/** Changes a fact in the ledger through the product's own store, for states that no process can provoke. */
function changeState(at: Scratch, agent: Session, change: (state: AgentState) => object): void {
  const store = openEmbedded(at.state, { now: readNow });
  const key = `agent:${agent.name}`;
  store.transactSync([key], (view) => {
    const state = change(view.get(key) as unknown as AgentState) as unknown as Json;
    return {
      records: [{ type: 'renew', agent: agent.name, ts_ms: Date.now(), s: { [key]: state } }],
      result: null,
    };
  });
  store.closeSync();
}

const names = (at: Scratch): string[] =>
  (at.guard('status', '--json').json() as { agents: { agent: string }[] }).agents.map(({ agent }) => agent);
