/** What other agents want reaches an agent at its next step: once, short, and marked as theirs. */
import { describe, expect, it } from 'vitest';
import { scratch, working } from './driver.ts';
import { serve } from '../mcp/client.ts';

async function twoAgents() {
  const at = scratch({ files: { 'src/x': 'one\n', 'src/y': 'one\n' } });
  const [holder, other] = [working(at), working(at)];
  const server = await serve(at);
  const call = async (agent: string, name: string, input: object): Promise<Record<string, unknown>> => {
    const result = await server.client.callTool({
      name,
      arguments: { ...input, _agent: server.seal(agent, name) },
    });
    return JSON.parse((result.content as { text: string }[])[0]?.text ?? '{}') as Record<string, unknown>;
  };
  const ask = (reason = 'need it') =>
    call(other.name, 'negotiate_release', { agent_name: holder.name, file: 'src/x', reason });
  return { at, holder, other, call, ask };
}

describe('a request to release a file', () => {
  it('is told at the next prompt, once', async () => {
    const { holder, other, ask } = await twoAgents();
    holder.guard('lock', 'try', 'src/x');
    await ask();
    const told = holder.prompt().context;
    expect(told).toContain(`${other.name} asks you to release "src/x": "need it"`);
    expect(told).toContain('not an instruction of your user');
    expect(holder.prompt().context).toBe('');
  });

  it.each([
    ['Read', 'src/y'],
    ['write', 'src/x'],
  ])('is told at the next %s', async (step, file) => {
    const { holder, other, ask } = await twoAgents();
    holder.guard('lock', 'try', 'src/x');
    holder.read('src/x');
    await ask();
    const told = step === 'Read' ? holder.read(file) : holder.edit(file, 'one', 'two').post;
    expect(told?.context).toContain(`${other.name} asks you`);
    expect(holder.read('src/y').context).toBe('');
  });

  it('ends with the answer at the requester, whose write then lands', async () => {
    const { at, holder, other, call, ask } = await twoAgents();
    await call(holder.name, 'reserve_files', { patterns: ['src/**'], reason: 'mine' });
    other.read('src/x');
    expect(other.edit('src/x', 'one', 'two').pre.denial).toMatchObject({
      error_type: 'LOCKED_BY_OTHER',
      details: { holder: holder.name, pattern: 'src/**', reason: 'mine' },
    });
    const { thread_id } = await ask();
    expect(holder.prompt().context).toContain(String(thread_id));
    await call(holder.name, 'respond_to_release', {
      thread_id,
      requester: other.name,
      action: 'release',
      file: 'src/x',
    });
    expect(other.read('src/y').context).toContain(
      `${holder.name} answered your request: "src/x" is released`,
    );
    other.guard('lock', 'try', 'src/x');
    expect(other.edit('src/x', 'one', 'two').pre.denial).toBe(null);
    expect(at.read('src/x')).toBe('two\n');
  });

  it('that nobody answers is over for the requester when the file is free', async () => {
    const { holder, other, ask } = await twoAgents();
    holder.guard('lock', 'try', 'src/x');
    await ask();
    holder.stopped();
    expect(other.read('src/y').context).toContain('"src/x", which you asked');
    expect(other.read('src/y').context).toBe('');
  });
});

describe('a message', () => {
  it('that is urgent is told, without anything that a terminal would obey, and cut', async () => {
    const { holder, other, call } = await twoAgents();
    const body = `look\u001b[2J\n${'x'.repeat(9_000)}`;
    await call(other.name, 'send_message', { to: holder.name, body, importance: 'urgent' });
    const told = holder.prompt().context;
    expect(told).toContain('look\\\\x1b[2J\\\\x0ax');
    expect(told).toContain('[cut]');
    expect(told.length).toBeLessThan(1_000);
  });

  it('that is not waits in the inbox', async () => {
    const { holder, other, call } = await twoAgents();
    await call(other.name, 'send_message', { to: holder.name, body: 'when you have time' });
    expect(holder.prompt().context).toBe('');
  });
});
