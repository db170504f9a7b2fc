/** Requests of other agents reach an agent at its next step: once, short, and marked as theirs. */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, scratch, working } from './driver.ts';
import { DEFAULT_BOUNDS, DEFAULT_LIMITS } from '../../src/core/agent-limits.ts';
import { shellWord } from '../../src/core/shell-word.ts';
import { openHarness, whoOf } from '../../src/harness/workspace.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { markProcess } from '../../src/repo/process.ts';
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

  it('that is not waits for the prompt, is told there once, and is read then', async () => {
    const { holder, other, call } = await twoAgents();
    await call(other.name, 'send_message', { to: holder.name, body: 'when you have time' });
    expect(holder.read('src/y').context).toBe('');
    expect(holder.prompt().context).toContain(`${other.name} writes (thread "m-`);
    expect(holder.prompt().context).toBe('');
    expect(await call(holder.name, 'fetch_inbox', {})).toMatchObject({
      unread: 0,
      messages: [{ body: 'when you have time', read: true }],
    });
  });

  it('that is too long to be shown whole is counted at every prompt until it is read', async () => {
    const { holder, other, call } = await twoAgents();
    await call(other.name, 'send_message', { to: holder.name, body: 'x'.repeat(9_000) });
    expect(holder.prompt().context).toMatch(
      /^guard: 1 unread message from[\s\S]*\[cut\]"\n- 1 of them not shown in full: /,
    );
    expect(holder.prompt().context).toMatch(/^guard: 1 unread message \(/);
    expect(holder.read('src/y').context).toBe('');
    expect((await call(holder.name, 'fetch_inbox', {}))['messages']).toMatchObject([{ read: false }]);
    expect(holder.prompt().context).toBe('');
  });

  it('is one of five at a prompt, the rest is counted', async () => {
    const { holder, other, call } = await twoAgents();
    for (let n = 1; n <= 8; n++)
      await call(other.name, 'send_message', { to: holder.name, body: `no. ${n}` });
    const first = holder.prompt().context;
    expect(first.match(/no\. \d/g)).toEqual(['no. 1', 'no. 2', 'no. 3', 'no. 4', 'no. 5']);
    expect(first).toMatch(/^guard: 8 unread messages from[\s\S]*\n- 3 of them not shown in full: /);
    expect(holder.prompt().context.match(/no\. \d/g)).toEqual(['no. 6', 'no. 7', 'no. 8']);
    expect(holder.prompt().context).toBe('');
  });
});

describe('what cannot wait is told at a denied write', () => {
  it('in details.mail, and the denial stays what it is', async () => {
    const { holder, other, call } = await twoAgents();
    holder.guard('lock', 'try', 'src/x');
    other.read('src/x');
    await call(holder.name, 'send_message', {
      to: other.name,
      body: 'say "stop"\u001b[2J\nnow',
      importance: 'urgent',
    });
    await call(holder.name, 'send_message', { to: other.name, body: 'later' });
    const { pre } = other.edit('src/x', 'one', 'two');
    expect(pre.denial).toMatchObject({
      error_type: 'LOCKED_BY_OTHER',
      details: {
        holder: holder.name,
        mail: [expect.stringContaining('not an instruction'), expect.any(String)],
      },
    });
    const [, line] = expectEnvelope(pre).details['mail'] as string[];
    expect(line).toContain(`${holder.name} writes (urgent, thread "m-`);
    expect(line).toContain(JSON.stringify('say "stop"\\x1b[2J\\x0anow'));
    // Only once; the ordinary message still waits for the prompt.
    expect(other.edit('src/x', 'one', 'two').pre.denial?.details['mail']).toBe(undefined);
    expect(other.prompt().context).toContain('"later"');
  });

  it('or at a command that fails', async () => {
    const { holder, other, call } = await twoAgents();
    holder.prompt();
    await call(other.name, 'send_message', { to: holder.name, body: 'stop', importance: 'urgent' });
    const failed = holder.failed(holder.call('Bash', { command: 'false' }), 'Exit code 1');
    expect(failed.context).toContain('"stop"');
    expect(holder.prompt().context).toBe('');
  });

  it('or at the end of a batch of tools that guard does not hear of', async () => {
    const { holder, other, call } = await twoAgents();
    holder.prompt();
    await call(other.name, 'send_message', { to: holder.name, body: 'stop', importance: 'urgent' });
    expect(holder.batch(holder.call('WebFetch', { url: 'https://example.com' })).context).toContain('"stop"');
  });

  it('and an ordinary one to a subagent, which is never prompted, at its steps', async () => {
    const { holder, other, call } = await twoAgents();
    const child = holder.subagent('a1');
    child.fire('SubagentStart');
    await call(other.name, 'send_message', { to: child.name, body: 'for you' });
    expect(child.read('src/y').context).toContain('"for you"');
    expect(child.read('src/y').context).toBe('');
  });
});

describe('an ordinary message to a drafted agent', () => {
  it('is told at its next step: it has no prompt but its first', async () => {
    const { at, holder, other, call } = await twoAgents();
    const space = openHarness(locateRepo(at.root), at.env);
    space.run({
      ...{ type: 'draft', phase: 'begin', who: whoOf('me@here:tty', ''), agent: whoOf(holder.name, 's') },
      ...{
        role: 'dev',
        category: 'worker',
        access: 'readonly',
        task: 't',
        drafter: markProcess(process.pid),
      },
      ...{ limits: DEFAULT_LIMITS, bounds: DEFAULT_BOUNDS },
    });
    space.close();
    await call(other.name, 'send_message', { to: [holder.name], subject: 'note', body: 'mind the tests' });
    expect(holder.read('src/y').context).toContain('mind the tests');
    expect(holder.read('src/y').context).toBe('');
  });
});

describe('the answer that a request suggests', () => {
  it.each(["it's $(mine)", `${'long/'.repeat(40)}x`])('releases what was asked for: %s', (file) => {
    const at = scratch({ files: { [file]: 'one\n' } });
    const [holder, other] = [working(at), working(at)];
    holder.lock(file);
    other.guard('negotiate', 'request', at.path(file), '--of', holder.name, '--reason', 'mine');
    const [, answer = ''] = /Answer with: (.*), or --defer/.exec(holder.prompt().context) ?? [];
    expect(holder.bash(answer)).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('released 1 on') as string,
    });
  });

  it.each([`${"it's/".repeat(70)}x`, 'a\u202eb'])(
    'is not spelled out where it would not be exact, but where to find it: %j',
    (file) => {
      const at = scratch({ files: { [file]: 'one\n' } });
      const [holder, other] = [working(at), working(at)];
      holder.guard('lock', 'try', at.path(file));
      other.guard('negotiate', 'request', at.path(file), '--of', holder.name, '--reason', 'mine');
      const told = holder.prompt().context;
      const [, respond = '', list = ''] = /Answer with (.*); (.*) has its thread/.exec(told) ?? [];
      const { requests } = JSON.parse(holder.bash(list).stdout) as {
        requests: { thread_id: string; from: string; file: string }[];
      };
      const [{ thread_id, from, file: asked }] = requests as [(typeof requests)[number]];
      const words = `${thread_id} --requester ${from} --file ${shellWord(asked)} --release`;
      expect(holder.bash(`${respond} ${words}`).stdout).toContain('released 1 on');
    },
  );
});

describe('the longest that others can write', () => {
  it('fits into what is told, so that nothing counts as read that was cut off', () => {
    const at = scratch({ files: { 'a.txt': 'one\n' } });
    const holder = working(at);
    holder.lock('a.txt');
    const names = [1, 2, 3, 4, 5].map((n) => `${'x'.repeat(199)}${n}`);
    for (const name of names) {
      const thread = `${"'".repeat(199)}${name.slice(-1)}`;
      const body = '\n"'.repeat(400);
      const about = ['--agent', name, '--thread', thread, '--subject', '"'.repeat(200), '--to', holder.name];
      const level = name.endsWith('4') || name.endsWith('5') ? 'normal' : 'urgent';
      expect(at.guard('message', 'send', body, ...about, '--importance', level).exit).toBe(0);
    }
    const told = holder.prompt().context;
    expect(names.filter((name) => told.includes(`${name} writes`))).toEqual(names);
    expect(told.length).toBeLessThan(8_000);
    expect(told).toContain('guard: 5 unread messages');
  });
});
