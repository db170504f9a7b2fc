/** Events whose sender is not who they claim: another session, or a command of the same one. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { HOOK, oneAgent, scratch, Session, working } from './driver.ts';
import { type Answer, answerOf } from './driver/answer.ts';

/** Sends an event from the Bash of `from` with its full environment, which clients give to commands since 2.1.200. */
function sent(from: Session, event: object, env: Record<string, string> = {}): Answer {
  const { status, stdout, stderr } = spawnSync(process.execPath, [HOOK], {
    cwd: from.scratch.root,
    env: { ...from.scratch.env, CLAUDECODE: '1', ...from.env, ...env },
    input: JSON.stringify(event),
    encoding: 'utf8',
  });
  return answerOf({ exit: status, stdout, stderr, took_ms: 0 });
}

function two() {
  const { at, agent: a } = oneAgent({ files: { 'f.txt': 'one\n', 'g.txt': 'one\n' } });
  const b = working(at);
  b.lock('f.txt');
  return { at, a, b };
}
const holder = (at: ReturnType<typeof scratch>, file: string): unknown =>
  (at.guard('lock', 'status', file, '--json').json() as { results: { holder: unknown }[] }).results[0]
    ?.holder;

describe('an event of another session', () => {
  it.each([
    ['SessionEnd', { reason: 'other' }],
    ['Stop', { background_tasks: [] }],
    ['UserPromptSubmit', { prompt: 'go' }],
    ['PostToolBatch', { tool_calls: [] }],
    ['SessionStart', { source: 'startup' }],
    ['SubagentStop', { agent_id: 'x', agent_type: '' }],
  ])('ends nothing and changes nothing, and is on record: %s', (event, fields) => {
    const { at, a, b } = two();
    const before = at.log().length;
    const told = sent(a, b.payload(event, fields));
    expect([told.exit, told.stdout]).toEqual([0, '']);
    expect(told.stderr).toContain('recorded');
    expect(holder(at, 'f.txt')).toBe(b.name);
    const news = at.log().slice(before);
    expect(news).toMatchObject([
      { type: 'event.forged', agent: a.name, claimed: b.name, event, reason: 'other_session', s: {} },
    ]);
    // It is still active, in the same turn.
    expect(b.edit('f.txt', 'one', 'two').post?.exit ?? b.read('f.txt').exit).toBe(0);
  });

  it('that writes is judged as that of somebody whom nobody knows', () => {
    const { at, a, b } = two();
    const input = { tool_name: 'Write', tool_input: { file_path: at.path('f.txt'), content: 'x' } };
    const told = sent(a, b.payload('PreToolUse', { ...input, tool_use_id: 't' }));
    expect([told.exit, told.denial?.error_type]).toEqual([2, 'LOCKED_BY_OTHER']);
    expect(told.denial?.details).toMatchObject({ holder: b.name });
    const free = { ...input, tool_input: { file_path: at.path('new.txt'), content: 'x' } };
    expect(sent(a, b.payload('PreToolUse', free)).denial?.error_type).toBe('NOT_LOCKED');
    expect(at.log('event.forged')).toHaveLength(2);
    expect(at.log('write.rejected').filter(({ agent }) => agent === b.name)).toEqual([]);
  });

  it('never passes in silence where no lock is needed', () => {
    const { at, agent: a } = oneAgent({ init: ['--preset', 'auto'] });
    const b = working(at);
    const write = {
      tool_name: 'Write',
      tool_input: { file_path: at.path('new.txt'), content: 'x' },
      tool_use_id: 't',
    };
    const told = sent(a, b.payload('PreToolUse', write));
    expect([told.exit, told.stdout]).toEqual([0, expect.stringContaining('not accepted')]);
    expect(holder(at, 'new.txt')).toBeNull();
  });

  it('gives no seal on the word of whom it names', () => {
    const { a, b } = two();
    const call = {
      tool_name: 'mcp__guard__lock_release',
      tool_input: { filepaths: ['f.txt'] },
      tool_use_id: 't',
    };
    expect(JSON.stringify(sent(a, b.payload('PreToolUse', call)).updated ?? {})).not.toContain(b.name);
    const bash = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't', agent_id: 's1' };
    expect(sent(a, b.payload('PreToolUse', bash)).updated).toBeNull();
  });
});

describe('an event of its own session, sent by a command', () => {
  it('is no Read: the write stays stale', () => {
    const { at, a } = two();
    a.lock('g.txt');
    a.read('g.txt');
    at.put('g.txt', 'three\n');
    expect(a.edit('g.txt', 'three', 'four').pre.denial?.error_type).toBe('STALE_FILE');
    const file = { filePath: at.path('g.txt'), content: 'three\n', numLines: 2, startLine: 1, totalLines: 2 };
    const forged = a.payload('PostToolUse', {
      tool_name: 'Read',
      tool_input: { file_path: at.path('g.txt') },
      tool_response: { type: 'text', file },
      tool_use_id: 't',
    });
    expect(sent(a, forged).stderr).toContain('recorded');
    expect(at.log('event.forged')).toMatchObject([{ agent: a.name, claimed: a.name, reason: 'no_hook' }]);
    expect(a.edit('g.txt', 'three', 'four').pre.denial?.error_type).toBe('STALE_FILE');
    a.read('g.txt');
    expect(a.edit('g.txt', 'three', 'four').post?.exit).toBe(0);
  });
});

describe('what is taken as it comes', () => {
  const start = { source: 'startup' };
  const forged = (at: ReturnType<typeof scratch>) => at.log('event.forged');
  it.each([
    ['a client that names no session (up to 2.1.100)', { CLAUDE_CODE_SESSION_ID: '' }],
    ['a fork, /clear, a resumed session: both change together', {}],
    ['a host that was started by a session', { CLAUDE_CODE_SESSION_ID: 'outer', CODEX_THREAD_ID: 't' }],
    [
      'a client inside a session, with its own variables',
      { CLAUDE_CODE_CHILD_SESSION: '1', CLAUDE_PID: '1' },
    ],
  ])('%s', (_, env) => {
    const at = scratch();
    const agent = new Session(at, { env });
    expect(agent.fire('SessionStart', start)).toMatchObject({ exit: 0, stderr: '' });
    expect(forged(at)).toEqual([]);
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ agent: agent.name }] });
  });
});
