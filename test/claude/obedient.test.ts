/**
 * A parent locks and edits two files, then starts two foreground subagents in one message: one edits x and z, the other
 * z, y and x. All follow guard's instructions literally.
 */
import { describe, expect, it } from 'vitest';
import { oneAgent } from './driver.ts';
import { type Job, obedient, type Obedient } from './driver/obedient.ts';

const NAMES = ['x.txt', 'y.txt', 'z.txt'];
const files = Object.fromEntries(NAMES.map((name) => [name, 'parent\nfirst\nsecond\n']));
const edits = (mark: string, ...names: readonly string[]): readonly Job[] =>
  names.map((name) => ({ file: `${name}.txt`, from: mark, to: mark.toUpperCase() }));

interface Options {
  readonly is_guarded: boolean;
  /** Whether the client passes on guard's text at SubagentStart (2.1.200 and newer). */
  readonly hears: boolean;
}

async function play({ is_guarded, hears }: Options) {
  const { at, agent } = oneAgent({ files, ...(is_guarded ? {} : { init: null }) });
  const parent = obedient(agent, ['x.txt', 'y.txt'], is_guarded);
  if (is_guarded) await parent.told(agent.start().context);
  for (const file of ['x.txt', 'y.txt']) await parent.read(file);
  for (const job of edits('parent', 'x', 'y')) await parent.edit(job);

  const sends = ['s1', 's2'].map((id) => {
    parent.does(`Agent ${id}`);
    const call = agent.call('Agent', { prompt: id, run_in_background: false });
    if (is_guarded) agent.pre(call);
    return { id, call };
  });
  const jobs = { s1: edits('first', 'x', 'z'), s2: edits('second', 'z', 'y', 'x') };
  const children = await Promise.all(
    sends.map(async ({ id, call }): Promise<Obedient> => {
      const todo = id === 's1' ? jobs.s1 : jobs.s2;
      const child = agent.subagent(id);
      const works = obedient(
        child,
        todo.map(({ file }) => file),
        is_guarded,
      );
      const told = is_guarded ? child.fire('SubagentStart').context : '';
      if (hears) await works.told(told);
      for (const { file } of todo) await works.read(file);
      for (const job of todo) await works.edit(job);
      if (is_guarded) {
        child.fire('SubagentStop', { background_tasks: [] });
        agent.post(call, { status: 'completed', agentId: id, content: [] });
      }
      return works;
    }),
  );
  await parent.read('z.txt');
  const calls = [parent, ...children].flatMap((one) => one.calls);
  return { at, calls, texts: NAMES.map((name) => at.read(name)) };
}

const DONE = ['PARENT\nFIRST\nSECOND\n', 'PARENT\nfirst\nSECOND\n', 'parent\nFIRST\nSECOND\n'];

describe('two subagents on three shared files', () => {
  it('make 17 tool calls with the parent where nobody guards them', async () => {
    const { calls, texts } = await play({ is_guarded: false, hears: false });
    expect(texts).toEqual(DONE);
    expect(calls).toHaveLength(17);
  });

  it('make at most 26 when they lock as they are told at their start, without a deadlock or a refusal', async () => {
    const { at, calls, texts } = await play({ is_guarded: true, hears: true });
    expect(texts).toEqual(DONE);
    expect(at.log('deadlock')).toEqual([]);
    expect(at.log('write.rejected')).toEqual([]);
    expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(26);
  });

  it('make at most 30, and no deadlock, when their client tells them nothing and a refusal is the first they hear', async () => {
    const { at, calls, texts } = await play({ is_guarded: true, hears: false });
    expect(texts).toEqual(DONE);
    expect(at.log('deadlock')).toEqual([]);
    expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(30);
  });
});
