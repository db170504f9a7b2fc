/** Gemini CLI, through its own hooks: `guard hook --host gemini`. */
import { describe, expect, it } from 'vitest';
import { type Answer, expectEnvelope, scratch, type Scratch, working } from '../driver.ts';
import { recorded } from '../hosts/events.ts';
import { told } from './host.ts';

const SESSION = '00000000-0000-4000-8000-000000009e31';
const ID = `gemini-${SESSION}`;

function gemini(at: Scratch) {
  const fire = (hook_event_name: string, fields: object = {}): Answer =>
    told(
      at,
      'gemini',
      {
        session_id: SESSION,
        transcript_path: '/home/u/.gemini/tmp/repo/chats/s.jsonl',
        cwd: at.root,
        hook_event_name,
        timestamp: '2026-11-22T10:00:00.000Z',
        ...fields,
      },
      { env: { GEMINI_PROJECT_DIR: at.root, CLAUDE_PROJECT_DIR: '/elsewhere' } },
    );
  const call = (tool_name: string, tool_input: object) => ({ tool_name, tool_input });
  return {
    fire,
    prompt: () => fire('BeforeAgent', { prompt: 'go' }),
    read: (file: string, range: object = {}, llmContent = at.read(file)): Answer =>
      fire('AfterTool', {
        ...call('read_file', { file_path: at.path(file), ...range }),
        tool_response: { llmContent, returnDisplay: '' },
      }),
    /** The client's order: the event before, the write, the event after. */
    replaces(file: string, old_string: string, new_string: string): Answer {
      const asked = call('replace', { file_path: at.path(file), instruction: 'x', old_string, new_string });
      const before = fire('BeforeTool', asked);
      if (before.exit !== 0) return before;
      const originalContent = at.read(file);
      const newContent = originalContent.replace(old_string, new_string);
      at.put(file, newContent);
      const returnDisplay = { originalContent, newContent, isNewFile: false };
      return fire('AfterTool', {
        ...asked,
        tool_response: { llmContent: 'Successfully modified', returnDisplay },
      });
    },
  };
}

const files = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'b.txt': 'alpha\nbeta\ngamma\n' };
const auto = { files, init: ['--preset', 'auto'] };

describe('an agent of Gemini CLI under auto', () => {
  it('edits twice, is denied after a change from outside in its own words, reads, and edits', () => {
    const at = scratch(auto);
    const agent = gemini(at);
    agent.prompt();
    agent.read('a.txt');
    expect(agent.replaces('a.txt', 'two', 'TWO').exit).toBe(0);
    expect(agent.replaces('a.txt', 'TWO', 'two').exit).toBe(0);
    at.put('a.txt', at.read('a.txt').replace('five', 'OUTSIDE'));
    const denial = expectEnvelope(agent.replaces('a.txt', 'two', '2'));
    expect([denial.error_type, denial.details.next]).toEqual([
      'STALE_FILE',
      [`read_file ${at.path('a.txt')}`],
    ]);
    expect(agent.replaces('a.txt', 'two', '2').exit).toBe(2);
    agent.read('a.txt');
    expect(agent.replaces('a.txt', 'two', '2').exit).toBe(0);
    expect(at.log('write').map(({ agent: who, content, original }) => [who, content, original])).toEqual(
      Array.from({ length: 3 }, () => [ID, 'as_expected', 'same']),
    );
  });

  it('has read a part where the client says that it is one', () => {
    const at = scratch(auto);
    const agent = gemini(at);
    agent.prompt();
    agent.read('a.txt');
    at.put('a.txt', at.read('a.txt').replace('five', 'OUTSIDE'));
    const head =
      'IMPORTANT: The file content has been truncated.\nStatus: Showing lines 1-2 of 5 total lines.\nAction: x\n\n--- FILE CONTENT (truncated) ---\n';
    agent.read('a.txt', { start_line: 1, end_line: 2 }, `${head}one\ntwo`);
    expect(agent.replaces('a.txt', 'two', '2').exit).toBe(2);
    agent.read('a.txt', { start_line: 3 }, `${head.replace('1-2', '3-5')}three\nfour\nOUTSIDE`);
    expect(agent.replaces('a.txt', 'two', '2').exit).toBe(0);
  });

  it('fails with an edit: the after-event says so, and the file is free for its next one', () => {
    const at = scratch(auto);
    const agent = gemini(at);
    agent.prompt();
    const asked = {
      tool_name: 'replace',
      tool_input: { file_path: at.path('a.txt'), old_string: 'no', new_string: 'X' },
    };
    expect(agent.fire('BeforeTool', asked).exit).toBe(0);
    agent.fire('AfterTool', {
      ...asked,
      tool_response: { llmContent: 'no match', error: { message: 'no match' } },
    });
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ writing: [] }] });
    expect(at.log('write')).toEqual([]);
  });

  it('is given its name in a command that calls guard, in the field that the client takes', () => {
    const at = scratch(auto);
    const answer = gemini(at).fire('BeforeTool', {
      tool_name: 'run_shell_command',
      tool_input: { command: 'guard lock try a.txt', description: 'x' },
    });
    expect(JSON.parse(answer.stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'BeforeTool',
        tool_input: { command: `guard lock try --agent ${ID} a.txt`, description: 'x' },
      },
    });
  });

  it('edits no file that the client looks for and the call does not say', () => {
    const at = scratch({
      files: { 'src/deep.txt': 'one\n', 'here.txt': 'one\n' },
      init: ['--preset', 'auto'],
    });
    const agent = gemini(at);
    const asked = (tool_name: string, file_path: string, more: object = {}): Answer =>
      agent.fire('BeforeTool', {
        tool_name,
        tool_input: { file_path, new_string: 'x', content: 'x', ...more },
      });
    const one = { old_string: 'one' };
    for (const answer of [asked('replace', 'deep.txt', one), asked('write_file', '@src/deep.txt')])
      expect(expectEnvelope(answer).details['code']).toBe('GUARD_ERR_INPUT');
    expect(asked('replace', 'here.txt', one).exit).toBe(0);
    expect(asked('replace', 'new.txt', { old_string: '' }).exit).toBe(0);
    expect(asked('write_file', 'other/new.txt').exit).toBe(0);
    const unguarded = gemini(scratch({ init: null }));
    const elsewhere = { tool_name: 'replace', tool_input: { file_path: 'x.txt', ...one, new_string: 'x' } };
    expect(unguarded.fire('BeforeTool', elsewhere).exit).toBe(0);
  });

  it('and one of Claude Code respect what the other holds', () => {
    const at = scratch({ files: { ...files, 'b.txt': 'beta\n' }, init: ['--preset', 'auto'] });
    const [agent, claude] = [gemini(at), working(at)];
    agent.prompt();
    agent.read('a.txt');
    expect(agent.replaces('a.txt', 'two', 'TWO').exit).toBe(0);
    claude.read('a.txt');
    claude.read('b.txt');
    expect(claude.edit('a.txt', 'one', '1').pre.denial).toMatchObject({
      error_type: 'LOCKED_BY_OTHER',
      details: { holder: ID },
    });
    expect(claude.edit('b.txt', 'beta', 'BETA').pre.exit).toBe(0);
    expect(agent.replaces('b.txt', 'BETA', 'x').denial?.error_type).toMatch(
      /LOCKED_BY_OTHER|UNREAD_FILE|STALE_FILE/,
    );
    expect(at.read('b.txt')).toBe('BETA\n');
  });
});

describe('a recorded session of Gemini CLI', () => {
  it('goes through without a denial, and every record is its own', () => {
    const at = scratch(auto);
    const answers = recorded('gemini', at.root).map(({ event, stdin }) => [
      event,
      told(at, 'gemini', stdin).exit,
    ]);
    expect(answers.filter(([, exit]) => exit !== 0)).toEqual([]);
    const agents = new Set(at.log().map(({ agent }) => String(agent)));
    expect([...agents].filter((agent) => !agent.startsWith('gemini-'))).toEqual([]);
    expect(agents.size).toBe(2);
  });

  it('too large or broken before a write is denied', () => {
    const at = scratch({ files });
    const broken = '{"hook_event_name":"BeforeTool","tool_name":"write_file",';
    expect(told(at, 'gemini', broken).exit).toBe(2);
    expect(told(at, 'gemini', broken.replace('BeforeTool', 'AfterTool')).exit).toBe(0);
  });
});
