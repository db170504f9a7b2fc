/** Input that is not an event: never a crash (exit 1), never an allowed write. */
import { closeSync, mkdirSync, openSync, rmdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Answer, expectEnvelope, HOOK, scratch, type Scratch, Session } from './driver.ts';

function place(): { at: Scratch; agent: Session; event: Record<string, unknown> } {
  const at = scratch({ files: { 'a.txt': 'one\n' }, apart: true });
  const agent = new Session(at, { pid: null });
  const call = agent.call('Write', { file_path: at.path('a.txt'), content: 'x' });
  const fields = { tool_name: call.tool, tool_input: call.input, tool_use_id: call.id };
  return { at, agent, event: agent.payload('PreToolUse', fields) as Record<string, unknown> };
}

const refused = (answer: Answer): void => {
  expect(expectEnvelope(answer)).toMatchObject({
    error_type: 'GUARD_ERROR',
    details: { code: 'GUARD_ERR_INPUT' },
  });
};

describe('stdin that is no event is refused', () => {
  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['blanks', ' \n'],
    ['words', 'hello'],
    ['a number', '42'],
    ['null', 'null'],
    ['a list', '[{"hook_event_name":"PreToolUse"}]'],
    ['an object without an event', '{"tool_name":"Write"}'],
    ['an event that is no text', '{"hook_event_name":{"a":1}}'],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ['NULs', Buffer.alloc(100)],
    ['two events', '{"hook_event_name":"PreToolUse"}{"hook_event_name":"PreToolUse"}'],
    ['a comment', '{"hook_event_name":"PreToolUse", // x\n"tool_name":"Write"}'],
    ['100,000 brackets', '['.repeat(100_000)],
    ['100,000 objects', '{"a":'.repeat(100_000)],
  ])('%s', (_, stdin) => {
    refused(scratch({ init: null, apart: true }).hook(stdin));
  });
});

describe('a write event', () => {
  it('cut off at any byte is refused', { timeout: 120_000 }, async () => {
    const { at, event } = place();
    const text = JSON.stringify(event);
    const step = Math.max(1, Math.floor(text.length / Number(process.env['GUARD_TEST_CUTS'] ?? 24)));
    for (let end = 1; end < text.length; end += step * 3) {
      const ends = [end, end + step, end + 2 * step].filter((at_byte) => at_byte < text.length);
      const answers = await Promise.all(ends.map((at_byte) => at.startText(text.slice(0, at_byte))));
      answers.forEach(refused);
    }
  });

  it('with bytes that are no UTF-8 in its content is judged', () => {
    const { at, event } = place();
    const text = Buffer.from(JSON.stringify(event).replace('"x"', '"\u00ff\u00ff"'));
    text.fill(0xff, text.indexOf('\u00ff'), text.indexOf('\u00ff') + 4);
    expect(at.hook(text).denial?.error_type).toBe('NOT_LOCKED');
  });

  it('of 10 MB is judged', () => {
    const { at, event } = place();
    const big = { ...event, tool_input: { file_path: at.path('a.txt'), content: 'x'.repeat(10_000_000) } };
    expect(at.hook(big).denial?.error_type).toBe('NOT_LOCKED');
  });

  it('nested 100,000 deep is judged', () => {
    const { at, event } = place();
    const text = JSON.stringify(event).replace('"x"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(at.hook(text).denial?.error_type).toBe('NOT_LOCKED');
  });

  it('with a field given twice is judged by the last, as the client would', () => {
    const { at, event } = place();
    const text = JSON.stringify(event).replace('"file_path":', '"file_path":"/tmp/innocent","file_path":');
    expect(at.hook(text).denial).toMatchObject({
      error_type: 'NOT_LOCKED',
      details: { path: at.path('a.txt') },
    });
  });

  it('with __proto__ and constructor in it is judged by its own fields', () => {
    const { at, agent } = place();
    const hidden = '{"__proto__":{"file_path":"/tmp/innocent"},"constructor":{"prototype":{}}}';
    const text = JSON.stringify(
      agent.payload('PreToolUse', { tool_name: 'Write', tool_input: 0, tool_use_id: 't' }),
    );
    refused(at.hook(text.replace('"tool_input":0', `"tool_input":${hidden}`)));
    const both = hidden.replace('{', `{"file_path":${JSON.stringify(at.path('a.txt'))},`);
    expect(at.hook(text.replace('"tool_input":0', `"tool_input":${both}`)).denial?.error_type).toBe(
      'NOT_LOCKED',
    );
  });

  it.each([
    ['no path', {}],
    ['an empty path', { file_path: '' }],
    ['a path that is no text', { file_path: ['/tmp/a'] }],
    ['no input', undefined],
    ['an input that is a list', ['/tmp/a']],
  ])('with %s is refused', (_, tool_input) => {
    const { at, event } = place();
    refused(at.hook({ ...event, tool_input }));
  });

  it('without a tool is refused', () => {
    const { at, event } = place();
    refused(at.hook({ ...event, tool_name: '' }));
  });

  it('of a session that calls itself something hostile is judged, and nothing leaves the state directory', () => {
    const { at, event } = place();
    for (const session_id of [
      '../../../../tmp/x',
      'a\nb',
      `","crc":"`,
      '\u001b[2J',
      'x'.repeat(5_000),
      '.',
      '..',
      ' ',
    ]) {
      const answer = at.hook({ ...event, session_id });
      expect(answer.denial?.error_type, session_id).toBe('NOT_LOCKED');
    }
    expect(at.guard('verify').exit).toBe(0);
  });
});

describe('events that are no write', () => {
  it('go on when they are cut off after their name, with a word on stderr', () => {
    const { at, agent } = place();
    for (const event of ['Stop', 'UserPromptSubmit', 'SessionStart', 'PostToolUse']) {
      const answer = at.hook(JSON.stringify(agent.payload(event)).slice(0, -1));
      expect([answer.exit, answer.stdout]).toEqual([0, '']);
      expect(answer.stderr).toMatch(/^guard: .*not valid/);
    }
  });

  it('a Bash or Read call goes on too: only writes are denied', () => {
    const { at, agent } = place();
    for (const tool_name of ['Bash', 'Read', 'Grep']) {
      const answer = at.hook(JSON.stringify(agent.payload('PreToolUse', { tool_name })).slice(0, -1));
      expect([answer.exit, answer.stdout]).toEqual([0, '']);
    }
  });
});

describe('a process that was started badly', () => {
  const start = (at: Scratch, more: object) =>
    spawnSync(process.execPath, [HOOK], { env: at.env, cwd: at.root, encoding: 'utf8', ...more });

  it('with stdin closed, or a directory as stdin, refuses', () => {
    const { at } = place();
    const dir = openSync(at.root, 'r');
    const answers = [
      start(at, { stdio: ['ignore', 'pipe', 'pipe'] }),
      start(at, { stdio: [dir, 'pipe', 'pipe'] }),
    ];
    closeSync(dir);
    expect(answers.map(({ status }) => status)).toEqual([2, 2]);
  });

  it('with stdout closed still refuses by its exit code', () => {
    const { at, event } = place();
    const command = `"${process.execPath}" "${HOOK}" >&-`;
    const { status } = spawnSync('sh', ['-c', command], {
      env: at.env,
      cwd: at.root,
      input: JSON.stringify(event),
    });
    expect(status).toBe(2);
  });

  it('in a directory that was removed judges all the same', () => {
    const { at, event } = place();
    const gone = at.path('gone');
    mkdirSync(gone);
    const command = `rmdir "${gone}"; "${process.execPath}" "${HOOK}"`;
    const { status, stdout } = spawnSync('sh', ['-c', command], {
      env: { ...at.env, CLAUDE_PROJECT_DIR: at.root },
      cwd: gone,
      input: JSON.stringify(event),
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([2, expect.stringContaining('NOT_LOCKED') as string]);
    expect(() => rmdirSync(gone)).toThrow();
  });
});
