/** Two guarded writes to one file never overlap: the second is denied until the first ends, in whatever way. */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, kill, oneAgent, scratch, setUpBy, silentFor, working, wrongs } from './driver.ts';
import type { Scratch, Session, ToolCall } from './driver.ts';

const files = { 'a.txt': 'one\n', 'b.txt': 'one\n' };
/** With leases on, they alone would stop the second writer. */
const OFF = { enforcement: 'off', allow_weaker: true };

function inFlight(): { at: Scratch; agent: Session; other: Session; call: ToolCall } {
  const { at, agent } = oneAgent({ files });
  at.put(`${at.home}/.config/guard/config.json`, JSON.stringify(OFF));
  const call = agent.call('Write', { file_path: at.path('a.txt'), content: 'x' });
  expect(agent.pre(call).exit).toBe(0);
  return { at, agent, other: working(at), call };
}

describe('while a write is in flight', () => {
  it('the second writer is told who is writing, since when, and to read again', () => {
    const { at, agent, other } = inFlight();
    const denial = expectEnvelope(other.write('a.txt', 'y').pre);
    expect(denial).toMatchObject({
      error_type: 'WRITE_IN_FLIGHT',
      details: {
        holder: agent.name,
        next: [`Read ${at.path('a.txt')} again, with offset and limit if it is said to be unchanged`],
      },
    });
    expect(Date.parse(String(denial.details['since']))).toBeGreaterThan(Date.now() - 60_000);
  });

  it('every spelling of the file is in flight, another file is not', () => {
    const { at, other } = inFlight();
    const spelt = other.call('Write', { file_path: `${at.root}/./src/../a.txt`, content: 'y' });
    expect(wrongs(other.pre(spelt))).toEqual(['WRITE_IN_FLIGHT']);
    expect(other.write('b.txt', 'y').post?.exit).toBe(0);
  });
});

describe('it ends', () => {
  it.each<[string, (flight: ReturnType<typeof inFlight>) => unknown]>([
    [
      'with PostToolUse',
      ({ agent, call }) => agent.post(call, { type: 'update', content: 'x', originalFile: 'one\n' }),
    ],
    [
      'with a PostToolUse that holds the write back for review',
      ({ agent, call }) => agent.post(call, { staged: true }),
    ],
    [
      'with PostToolUseFailure',
      ({ agent, call }) => agent.failed(call, 'String to replace not found in file.'),
    ],
    ['with PostToolBatch, where another hook or the user denied it', ({ agent, call }) => agent.batch(call)],
    ["with the agent's next write", ({ agent }) => agent.write('b.txt', 'z')],
    ["with the agent's next Bash call", ({ agent }) => agent.pre(agent.call('Bash', { command: 'ls' }))],
    ['with Stop', ({ agent }) => agent.stop()],
    ['with the next turn, where no Stop came', ({ agent }) => (agent.silent(200_000), agent.prompt())],
    ['with SessionEnd', ({ agent }) => agent.end()],
    ['with the death of the client', ({ agent }) => kill(agent)],
    [
      'with another process of the session after that',
      ({ at, agent }) => {
        kill(agent);
        return working(at, { id: agent.id });
      },
    ],
  ])('%s', (_, end) => {
    const flight = inFlight();
    end(flight);
    flight.other.read('a.txt');
    expect(flight.other.write('a.txt', 'y').post?.exit).toBe(0);
  });

  it.each<[string, (flight: ReturnType<typeof inFlight>) => unknown]>([
    ['the failure of another call', ({ agent }) => agent.failed(agent.call('Edit', {}), 'no')],
    ['the end of another batch', ({ agent }) => agent.batch(agent.call('Bash', { command: 'ls' }))],
    ['a Read', ({ agent }) => agent.read('b.txt')],
    ['anything of a subagent', ({ agent }) => agent.subagent('s').fire('SubagentStop', {})],
    ['a task notification', ({ agent }) => agent.prompt('<task-notification>\n</task-notification>')],
    ['a resumed twin', ({ at, agent }) => working(at, { id: agent.id })],
  ])('not with %s', (_, event) => {
    const flight = inFlight();
    event(flight);
    expect(wrongs(flight.other.write('a.txt', 'y').pre)).toEqual(['WRITE_IN_FLIGHT']);
  });
});

describe('a write in another repository', () => {
  const elsewhere = () => {
    const there = scratch({ files });
    const { at, agent } = oneAgent({ files });
    setUpBy(there, at);
    const call = agent.call('Write', { file_path: there.path('a.txt'), content: 'x' });
    there.guardWith(agent.env, 'lock', 'try', 'a.txt');
    expect(agent.pre(call).exit).toBe(0);
    const other = working(there);
    expect(wrongs(other.write('a.txt', 'y').pre)).toEqual(['LOCKED_BY_OTHER', 'WRITE_IN_FLIGHT']);
    return { at, agent, call, other };
  };

  it('ends in its own ledger when it fails', () => {
    const { agent, call, other } = elsewhere();
    agent.failed(call, 'no');
    expect(wrongs(other.write('a.txt', 'y').pre)).toEqual(['LOCKED_BY_OTHER']);
  });

  it('ends there with its batch', () => {
    const { agent, call, other } = elsewhere();
    agent.batch(call);
    expect(wrongs(other.write('a.txt', 'y').pre)).toEqual(['LOCKED_BY_OTHER']);
  });

  it('and its lock end there with the turn', () => {
    const { agent, other } = elsewhere();
    agent.stop();
    silentFor(other.scratch.state, agent.name, 3_000);
    expect(wrongs(other.write('a.txt', 'y').pre)).toEqual(['NOT_LOCKED']);
  });

  it('is UNREAD_FILE after an agent of that repository wrote it since this session began', () => {
    const { at, agent } = oneAgent();
    const there = scratch({ files });
    setUpBy(there, at);
    const other = working(there);
    other.lock('a.txt');
    other.edit('a.txt', 'one', 'theirs');
    other.stop();
    there.guardWith(agent.env, 'lock', 'try', 'a.txt');
    const call = agent.call('Write', { file_path: there.path('a.txt'), content: 'x' });
    expect(agent.pre(call).denial).toMatchObject({
      error_type: 'UNREAD_FILE',
      details: { changed_by: other.name },
    });
  });
});
