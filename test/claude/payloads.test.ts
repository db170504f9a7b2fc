/** Every recorded event of every recorded version: exit 0 or 2, at most one JSON value, no internal error. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, disk, oneAgent, PACKAGE, scratch, type Scratch, Session } from './driver.ts';

const DIR = join(PACKAGE, 'test/fixtures/payloads');
/** How many run simultaneously as separate processes. */
const AT_ONCE = 4;
const NAMES = fs.readdirSync(DIR).filter((name) => name.endsWith('.json') && !name.startsWith('env.'));

/** Replaces `/repo` with the scratch repository. */
const load = (at: Scratch, name: string): Record<string, unknown> =>
  JSON.parse(fs.readFileSync(join(DIR, name), 'utf8').replaceAll('/repo', at.root)) as Record<
    string,
    unknown
  >;

function expectOrderly(answer: Answer, name: string): void {
  // There is no commit here for a worktree to start from.
  if (name === 'WorktreeCreate.json') {
    expect(answer).toMatchObject({ exit: 2, stdout: '' });
    expect(answer.stderr).toContain('GUARD_ERR_WORKTREE');
    return;
  }
  expect([0, 2], `${name}: ${answer.stderr}`).toContain(answer.exit);
  expect(answer.stderr, name).not.toContain('GUARD_ERR');
  if (answer.exit === 2) expect(answer.denial, name).not.toBeNull();
}

const FILES = {
  'a.txt': 'one\ntwo\nthree\n',
  'b.txt': 'b\n',
  'rel/r.txt': 'r\n',
  'n.ipynb': '{"cells":[]}',
};

describe('recorded events', () => {
  it('there are some of each version', () => {
    for (const version of ['old-2.0.77.', 'old-2.1.50.', 'old-2.1.100.', 'old-2.1.300.', 'PreToolUse.']) {
      expect(
        NAMES.some((name) => name.startsWith(version)),
        version,
      ).toBe(true);
    }
  });

  it('are all understood, in one repository, in any order', { timeout: 120_000 }, async () => {
    const at = scratch({ files: FILES });
    const [together, rest] = [NAMES.slice(0, AT_ONCE), NAMES.slice(AT_ONCE)];
    const answers = await Promise.all(together.map((name) => at.startHook(load(at, name))));
    answers.forEach((answer, nth) => expectOrderly(answer, together[nth] ?? ''));
    for (const name of rest) expectOrderly(at.hook(load(at, name)), name);
  });

  it.each(['old-2.0.77.', 'old-2.1.50.', ''])(
    'version "%s": an edit without a lock is denied, with one it lands',
    (version) => {
      const at = scratch({ files: FILES });
      const pre = load(at, `${version}PreToolUse.Edit.json`);
      expect(at.hook(pre).denial?.error_type).toBe('NOT_LOCKED');
      at.guard('lock', 'try', 'a.txt', '--agent', `claude-${String(pre['session_id'])}`);
      expect(at.hook(pre).exit).toBe(0);
      disk.edit(at.path('a.txt'), 'two', 'TWO');
      expect(at.hook(load(at, `${version}PostToolUse.Edit.json`))).toMatchObject({
        exit: 0,
        stdout: '',
        stderr: '',
      });
      expect(at.log('write')[0]).toMatchObject({ path: 'a.txt', content: 'as_expected', original: 'same' });
    },
  );

  it.each(['old-2.0.77.', 'old-2.1.50.'])(
    'version "%s": relative paths are relative to the cwd of the event',
    (version) => {
      const at = scratch({ files: FILES });
      const read = load(at, `${version}PostToolUse.Read.relative-path.json`);
      const given = (read['tool_input'] as { file_path: string }).file_path;
      const cwd = String(read['cwd']);
      const file = given.startsWith('/') ? given : join(cwd, given);
      at.put(file, (read['tool_response'] as { file: { content: string } }).file.content);
      expect(at.hook(read)).toMatchObject({ exit: 0, stderr: '' });
      fs.appendFileSync(file, 'theirs\n');
      const input = { ...(read['tool_input'] as object), content: 'x' };
      const write = {
        ...read,
        hook_event_name: 'PreToolUse',
        tool_name: 'Write',
        tool_input: input,
        tool_use_id: 'w',
      };
      expect(at.hook(write).denial?.error_type).toBe('STALE_FILE');
    },
  );

  it(
    'with every field but one missing are still answered, and a write is never let through',
    { timeout: 120_000 },
    () => {
      const at = scratch({ files: FILES });
      const whole = load(at, 'PreToolUse.Edit.json');
      const answers = Object.keys(whole).map((name) =>
        at.hook(Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name))),
      );
      expect(answers.map(({ exit }) => exit)).toEqual(answers.map(() => 2));
    },
  );
});

describe('hosts that write camelCase', () => {
  it('an edit of a file that changed is stale, whatever its tools are called', () => {
    const { at, agent } = oneAgent({ files: FILES });
    const event = (hookEventName: string, toolName: string, toolInput: object, more: object = {}) =>
      at.hook({
        hookEventName,
        sessionId: 'vs',
        cwd: at.root,
        toolName,
        toolInput,
        toolUseId: `${toolName}1`,
        ...more,
      });
    const filePath = at.path('a.txt');
    expect(event('PostToolUse', 'read_file', { filePath }, { toolResponse: at.read('a.txt') }).exit).toBe(0);
    agent.lock('b.txt');
    at.put('a.txt', 'theirs\n');
    for (const tool of ['create_file', 'replace_string_in_file', 'insert_edit_into_file']) {
      expect(event('PreToolUse', tool, { filePath, content: 'x' }).denial?.error_type).toBe('STALE_FILE');
    }
  });
});

describe('what concerns nobody', () => {
  it('unknown events and unknown tools pass without a word and without opening anything', () => {
    const at = scratch({ files: FILES });
    fs.writeFileSync(join(at.state, 'install.json'), 'broken');
    const session = new Session(at);
    const answers = [
      session.fire('SomethingNew', {}),
      session.fire('toString', {}),
      session.fire('__proto__', {}),
      session.pre(session.call('SomethingNew', { file_path: at.path('a.txt') })),
      session.pre(session.call('constructor', {})),
      session.pre(session.call('Read', { file_path: at.path('a.txt') })),
      session.post(session.call('TaskCreate', {}), {}),
    ];
    expect(answers.map(({ exit, stdout, stderr }) => [exit, stdout, stderr])).toEqual(
      answers.map(() => [0, '', '']),
    );
  });
});
