/** Events over 16 MiB are not parsed: PreToolUse denies, ends still count, and written content counts as unseen. */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, fieldsOf, oneAgent, working, wrongs } from './driver.ts';
import type { Session, ToolCall } from './driver.ts';

const HUGE = 'x'.repeat(17 * 1024 * 1024);

/** An approved write of a.txt that the tool has performed. */
function written(): { agent: Session; call: ToolCall } {
  const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
  agent.lock('a.txt');
  agent.read('a.txt');
  const call = agent.call('Write', { file_path: at.path('a.txt'), content: 'two\n' });
  expect(agent.pre(call).exit).toBe(0);
  at.put('a.txt', 'two\n');
  return { agent, call };
}

const isOpen = (agent: Session): boolean => {
  const { agents } = agent.scratch.guard('status', '--json').json() as {
    agents: { agent: string; writing: unknown[] }[];
  };
  return (agents.find((one) => one.agent === agent.name)?.writing.length ?? 0) > 0;
};

describe('an event of 17 MiB', () => {
  it('before a write: denied, quickly, with the cause', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.lock('a.txt');
    const answer = agent.pre(agent.call('Write', { file_path: at.path('a.txt'), content: HUGE }));
    expect(expectEnvelope(answer)).toMatchObject({
      error_type: 'GUARD_ERROR',
      details: { code: 'GUARD_ERR_INPUT', cause: expect.stringContaining('larger than') as string },
    });
  });

  it('before a Bash call: goes on', () => {
    const { agent } = oneAgent();
    expect(agent.pre(agent.call('Bash', { command: HUGE }))).toMatchObject({ exit: 0, stdout: '' });
  });

  it('after a write: the intent ends, and the next write must read first', () => {
    const { agent, call } = written();
    const { context } = agent.post(call, { type: 'update', content: HUGE, originalFile: 'one\n' });
    expect(context).toContain('too large to check');
    expect(isOpen(agent)).toBe(false);
    expect(agent.scratch.log('write')[0]).toMatchObject({
      op: call.id,
      content: 'unknown',
      original: 'unverified',
    });
    expect(wrongs(agent.edit('a.txt', 'two', 'three').pre)).toEqual(['STALE_FILE']);
    agent.read('a.txt');
    expect(agent.edit('a.txt', 'two', 'three').post?.exit).toBe(0);
  });

  it('after a write whose input is so large that the path is not seen: the open write is taken from the ledger', () => {
    const { agent, call } = written();
    const input = { content: HUGE, file_path: agent.scratch.path('a.txt') };
    agent.post({ ...call, input }, { type: 'update' });
    expect(isOpen(agent)).toBe(false);
    expect(wrongs(agent.edit('a.txt', 'two', 'three').pre)).toEqual(['STALE_FILE']);
  });

  it('after a write that failed, or at the end of its batch: the intent ends', () => {
    const failed = written();
    failed.agent.failed(failed.call, HUGE);
    expect(isOpen(failed.agent)).toBe(false);
    const batch = written();
    batch.agent.fire('PostToolBatch', { tool_calls: [{ ...fieldsOf(batch.call), tool_response: HUGE }] });
    expect(isOpen(batch.agent)).toBe(false);
  });

  it('after a batch: the commands in it are over, long ones too', () => {
    const { agent } = oneAgent();
    const call = agent.call('Bash', { command: 'make', timeout: 600_000 });
    agent.pre(call);
    const inCall = (): boolean => agent.scratch.guard('status').stdout.includes('  in Bash for ');
    expect(inCall()).toBe(true);
    agent.fire('PostToolBatch', { tool_calls: [{ ...fieldsOf(call), tool_response: HUGE }] });
    expect(inCall()).toBe(false);
  });

  it('a prompt: the turn begins all the same, for the session whose prompt it is', () => {
    const { agent } = oneAgent();
    agent.lock('a.txt');
    agent.stop();
    expect(agent.prompt(HUGE)).toMatchObject({ exit: 0, stderr: '' });
    working(agent.scratch).lock('a.txt');
  });

  it('after a Read, at Stop: goes on with a word', () => {
    const { agent } = oneAgent();
    const read = agent.post(agent.call('Read', { file_path: agent.scratch.path('a.txt') }), {
      file: { content: HUGE },
    });
    expect(read.exit).toBe(0);
    const stop = agent.stop({ last_assistant_message: HUGE });
    expect([stop.exit, stop.stderr]).toEqual([0, expect.stringContaining('larger than') as string]);
  });
});
