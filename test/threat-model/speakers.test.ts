/** Who can say something to guard: events, tool calls, readers of messages. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { HOOK, type Scratch, type Session, working, wrongs } from '../claude/driver.ts';
import { answerOf } from '../claude/driver/answer.ts';
import { serve, signatureOf } from '../mcp/client.ts';
import { installed } from './installed.ts';

const holderOf = (at: Scratch, file: string): unknown =>
  (at.guard('lock', 'status', file, '--json').json() as { results: { holder: unknown }[] }).results[0]
    ?.holder;

/** Sent from an agent's Bash, with the environment that its client gives to commands. */
function sent(from: Session, event: object) {
  const { scratch, env } = from;
  const { status, stdout, stderr } = spawnSync(process.execPath, [HOOK], {
    ...{ cwd: scratch.root, input: JSON.stringify(event), encoding: 'utf8' },
    env: { ...scratch.env, CLAUDECODE: '1', ...env },
  });
  return answerOf({ exit: status, stdout, stderr, took_ms: 0 });
}

describe('it sends events to the hook', () => {
  it('of another session: they change nothing and are on record; a write is judged as a stranger’s', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const [agent, other] = [working(at), working(at)];
    other.lock('a.txt');
    other.read('a.txt');
    const ends = [
      other.payload('SessionEnd', { reason: 'other' }),
      other.payload('Stop', { background_tasks: [] }),
    ];
    for (const event of ends) expect(sent(agent, event)).toMatchObject({ exit: 0, stdout: '' });
    const write = { tool_name: 'Write', tool_input: { file_path: at.path('a.txt'), content: 'x' } };
    const judged = sent(agent, other.payload('PreToolUse', { ...write, tool_use_id: 't' }));
    expect(judged.denial).toMatchObject({ error_type: 'LOCKED_BY_OTHER', details: { holder: other.name } });
    expect(holderOf(at, 'a.txt')).toBe(other.name);
    expect(at.log('event.forged')).toMatchObject(
      ['SessionEnd', 'Stop', 'PreToolUse'].map((event) => ({
        agent: agent.name,
        claimed: other.name,
        event,
      })),
    );
    expect(other.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
  });

  it('a Read that never was: on record, and the write stays stale', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const agent = working(at);
    agent.lock('a.txt');
    agent.read('a.txt');
    at.put('a.txt', 'theirs\n');
    const file = {
      filePath: at.path('a.txt'),
      content: 'theirs\n',
      numLines: 2,
      startLine: 1,
      totalLines: 2,
    };
    const read = {
      ...{ tool_name: 'Read', tool_input: { file_path: at.path('a.txt') }, tool_use_id: 't' },
      tool_response: { type: 'text', file },
    };
    sent(agent, agent.payload('PostToolUse', read));
    expect(at.log('event.forged')).toMatchObject([{ agent: agent.name, reason: 'no_hook' }]);
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['STALE_FILE']);
  });

  it('with an environment made complete: it is taken', () => {
    const at = installed();
    const [agent, other] = [working(at), working(at)];
    other.lock('a.txt');
    at.hook(other.payload('SessionEnd', { reason: 'other' }), { ...agent.env, ...other.env });
    expect(holderOf(at, 'a.txt')).toBeNull();
  });
});

describe('it names another agent to guard mcp', () => {
  it('refused without the seal of the hook, which counts once; from a server of its own as well', async () => {
    const at = installed();
    const [agent, other] = [working(at), working(at)];
    other.lock('a.txt');
    const env = { CLAUDECODE: '1', ...agent.env };
    const [given, own] = [await serve(at, env), await serve(at)];
    const refused = { error: { code: 'GUARD_ERR_SPEAKER' } };
    for (const server of [given, own])
      expect(await server.claiming(other.name).release('a.txt')).toMatchObject(refused);
    const sealed = signatureOf(at, agent.name, 'lock_try');
    expect(await given.claiming(sealed).lockTry('b.txt')).toMatchObject({ all_acquired: true });
    expect(await given.claiming(sealed).lockTry('c.txt')).toMatchObject(refused);
    expect(holderOf(at, 'a.txt')).toBe(other.name);
    // Anyone who can read the key can make seals.
    const made = signatureOf(at, other.name, 'lock_release');
    expect(await own.claiming(made).release('a.txt')).toMatchObject({ all_released: true });
  });

  it('after it changed .mcp.json: the hook signs nothing for such a server', () => {
    const at = installed();
    const [agent, other] = [working(at), working(at)];
    at.put('.mcp.json', JSON.stringify({ mcpServers: { guard: { command: 'sh' } } }));
    const input = { filepaths: ['a.txt'], _agent: other.name };
    expect(agent.pre(agent.call('mcp__guard__lock_release', input)).updated).toEqual({
      filepaths: ['a.txt'],
    });
  });
});

describe('it reads messages between others', () => {
  it('not shown by thread or log; a person sees them, and the ledger file has them', () => {
    const at = installed();
    const [from, to, reader] = [working(at), working(at), working(at)];
    const send = ['message', 'send', 'for one alone', '--to', to.name, '--json'];
    const { thread_id } = from.guard(...send).json() as { thread_id: string };
    const seenBy = (agent: Session): string =>
      agent.guard('message', 'thread', thread_id).stdout + agent.guard('log', '--json').stdout;
    expect(seenBy(reader)).not.toContain('for one alone');
    expect(reader.guard('log').stdout).not.toContain('for one alone');
    expect(seenBy(to)).toContain('for one alone');
    expect(at.guard('message', 'thread', thread_id).stdout).toContain('for one alone');
    expect(at.shell(`cat ${at.state}/ledger-*`, {}).stdout).toContain('for one alone');
  });
});
