/** Codex CLI, through its own hooks: `guard hook --host codex`. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Answer, type Denial, expectEnvelope, scratch, type Scratch, working } from '../driver.ts';
import { recorded } from '../hosts/events.ts';
import { told } from './host.ts';

const SESSION = '00000000-0000-4000-8000-0000000c0de0';

const patch = (...lines: readonly string[]): string =>
  ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

const change = (file: string, from: string, to: string): string =>
  patch(`*** Update File: ${file}`, '@@', `-${from}`, `+${to}`);

function codex(at: Scratch, who: Record<string, unknown> = {}) {
  let calls = 0;
  const fire = (hook_event_name: string, fields: object = {}, asked = {}): Answer =>
    told(
      at,
      'codex',
      {
        session_id: SESSION,
        turn_id: 'turn',
        transcript_path: '/home/u/.codex/sessions/rollout.jsonl',
        cwd: at.root,
        hook_event_name,
        ...who,
        ...fields,
      },
      asked,
    );
  const tool = (tool_name: string, command: string) => ({
    tool_name,
    tool_input: { command },
    tool_use_id: `call_${calls}`,
  });
  const pre = (name: string, command: string, fields: object = {}): Answer => {
    calls++;
    return fire('PreToolUse', { ...tool(name, command), ...fields });
  };
  const post = (name: string, command: string, tool_response: string): Answer =>
    fire('PostToolUse', { ...tool(name, command), tool_response });
  return {
    fire,
    pre,
    post,
    prompt: () => fire('UserPromptSubmit', { prompt: 'go' }),
    show: (file: string): Answer => {
      pre('Bash', `cat ${file}`);
      return post('Bash', `cat ${file}`, at.read(file));
    },
    /** The client's order: the event before, the write, the event after. */
    applies: (command: string, write: () => void): Answer => {
      const asked = pre('apply_patch', command);
      if (asked.exit !== 0) return asked;
      write();
      return post('apply_patch', command, 'Exit code: 0\nOutput:\nSuccess.');
    },
  };
}

const files = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'b.txt': 'alpha\nbeta\n' };
const auto = { files, init: ['--preset', 'auto'] };
const ID = `codex-${SESSION}`;

const swap = (at: Scratch, file: string, from: string, to: string) => () => {
  fs.writeFileSync(at.path(file), at.read(file).replace(from, to));
};

describe('an agent of Codex with the standard preset', () => {
  it('is told to lock, locks, patches, and the ledger has its write and its process', () => {
    const at = scratch({ files });
    const agent = codex(at);
    agent.prompt();
    const asked = change('a.txt', 'two', 'TWO');
    const denial = expectEnvelope(agent.pre('apply_patch', asked));
    expect(denial.error_type).toBe('NOT_LOCKED');
    const shell = { CODEX_SESSION_ID: SESSION, CODEX_THREAD_ID: SESSION };
    expect(at.guardWith(shell, 'lock', 'try', 'a.txt').exit).toBe(0);
    expect(agent.applies(asked, swap(at, 'a.txt', 'two', 'TWO'))).toMatchObject({ exit: 0, stdout: '' });
    expect(at.log('write')).toMatchObject([
      { agent: ID, path: 'a.txt', tool: 'apply_patch', content: 'as_expected', original: 'same' },
    ]);
    expect(at.log('bypass')).toEqual([]);
    const { agents } = at.guard('status', '--json').json() as { agents: { agent: string; pid: number }[] };
    expect(agents).toMatchObject([{ agent: ID }]);
  });

  it('has all files of a patch judged together, both ends of a move too', () => {
    const at = scratch({ files });
    const agent = codex(at);
    const all = patch(
      '*** Add File: sub/new.txt',
      '+x',
      '*** Update File: a.txt',
      '*** Move to: moved.txt',
      '@@',
      '-two',
      '+TWO',
      '*** Delete File: b.txt',
    );
    const denial = expectEnvelope(agent.pre('apply_patch', all));
    const paths = denial.details.targets?.map(({ path }) => path.slice(at.root.length + 1));
    expect(paths?.toSorted()).toEqual(['a.txt', 'b.txt', 'moved.txt', 'sub/new.txt']);
    expect(at.log('intent')).toEqual([]);
  });

  it('is denied where the patch cannot be read, with what is wrong', () => {
    const at = scratch({ files });
    const denial = expectEnvelope(codex(at).pre('apply_patch', 'no patch at all'));
    expect(denial).toMatchObject({ error_type: 'GUARD_ERROR', details: { code: 'GUARD_ERR_INPUT' } });
  });
});

describe('an agent of Codex under auto', () => {
  it('knows what its patch left: added, changed, moved, deleted, one after the other', () => {
    const at = scratch(auto);
    const agent = codex(at);
    agent.prompt();
    agent.applies(patch('*** Add File: c.txt', '+new'), () => at.put('c.txt', 'new\n'));
    agent.applies(change('c.txt', 'new', 'newer'), () => at.put('c.txt', 'newer\n'));
    agent.applies(patch('*** Update File: c.txt', '*** Move to: d.txt', '@@', '-newer', '+newest'), () => {
      fs.rmSync(at.path('c.txt'));
      at.put('d.txt', 'newest\n');
    });
    agent.applies(patch('*** Delete File: d.txt'), () => fs.rmSync(at.path('d.txt')));
    expect(at.log('write').map(({ path, content, original }) => [path, content, original])).toEqual([
      ['c.txt', 'as_expected', 'unverified'],
      ['c.txt', 'as_expected', 'same'],
      ['c.txt', 'unknown', 'unverified'],
      ['d.txt', 'as_expected', 'unverified'],
      ['d.txt', 'unknown', 'unverified'],
    ]);
  });

  it('reads with the shell: what `cat` showed whole is no unread change', () => {
    const at = scratch(auto);
    const agent = codex(at);
    agent.prompt();
    agent.show('a.txt');
    at.put('a.txt', at.read('a.txt').replace('five', 'OUTSIDE'));
    agent.show('a.txt');
    expect(agent.pre('apply_patch', change('a.txt', 'two', 'TWO')).exit).toBe(0);
  });

  it('is denied after a change from outside with all that changed, and may then go on: that counts as seen', () => {
    const at = scratch(auto);
    const agent = codex(at);
    agent.prompt();
    agent.show('a.txt');
    at.put('a.txt', at.read('a.txt').replace('five', 'OUTSIDE'));
    const asked = change('a.txt', 'two', 'TWO');
    const denial = expectEnvelope(agent.pre('apply_patch', asked));
    expect(denial.error_type).toBe('STALE_FILE');
    expect(denial.details['diff']).toContain('+OUTSIDE');
    expect(denial.details.next).toEqual([
      '"diff" is everything that changed: make your change again so that it fits',
    ]);
    expect(agent.applies(asked, swap(at, 'a.txt', 'two', 'TWO')).exit).toBe(0);
    expect(at.read('a.txt')).toBe('one\nTWO\nthree\nfour\nOUTSIDE\n');
  });

  it('is told to look with the shell where the difference is too long, and does not get through by trying again', () => {
    const at = scratch(auto);
    const agent = codex(at);
    agent.prompt();
    agent.show('a.txt');
    at.put('a.txt', `two\n${'x'.repeat(6_000)}\n`);
    const asked = change('a.txt', 'two', 'TWO');
    for (let tries = 0; tries < 2; tries++) {
      const denial = expectEnvelope(agent.pre('apply_patch', asked));
      expect(denial.error_type).toBe('STALE_FILE');
      expect(denial.details.next.join()).toContain('with the shell');
    }
  });

  it('sees in the denial of a file that it never read what is in it', () => {
    const at = scratch(auto);
    const agent = codex(at);
    agent.prompt();
    at.put('b.txt', 'theirs\n');
    const asked = change('b.txt', 'theirs', 'mine');
    const denial = expectEnvelope(agent.pre('apply_patch', asked));
    expect([denial.error_type, denial.details['diff']]).toEqual(['UNREAD_FILE', '@@ -0,0 +1,1 @@\n+theirs']);
    expect(agent.pre('apply_patch', asked).exit).toBe(0);
  });

  it('makes a patch inside of a shell command: judged before, taken for written at the next event', () => {
    const at = scratch(auto);
    const agent = codex(at);
    agent.prompt();
    const line = `cd ${at.root} && apply_patch <<'EOP'\n${change('a.txt', 'two', 'TWO').trim()}\nEOP`;
    expect(agent.pre('Bash', line).exit).toBe(0);
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ writing: ['a.txt'] }] });
    swap(at, 'a.txt', 'two', 'TWO')();
    expect(agent.pre('Bash', 'true').exit).toBe(0);
    expect(at.log('write')).toMatchObject([{ agent: ID, path: 'a.txt', content: 'as_expected' }]);
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ writing: [] }] });
    expect(agent.pre('apply_patch', change('a.txt', 'three', '3')).exit).toBe(0);
  });

  it('fails with a patch, of which nothing tells: the next event ends it, and nothing counts as written', () => {
    const at = scratch(auto);
    const agent = codex(at);
    agent.prompt();
    expect(agent.pre('apply_patch', change('a.txt', 'nowhere', 'X')).exit).toBe(0);
    at.put('a.txt', at.read('a.txt').replace('five', 'OUTSIDE'));
    agent.fire('Stop');
    expect(at.log('write')).toEqual([]);
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ writing: [] }] });
    agent.prompt();
    const { error_type } = agent.pre('apply_patch', change('a.txt', 'two', 'TWO')).denial as Denial;
    expect(error_type).toMatch(/^(?:STALE|UNREAD)_FILE$/);
  });

  it('that was started from Claude Code is itself, and its subagent another one', () => {
    const at = scratch(auto);
    const main = codex(at);
    main.prompt();
    expect(main.applies(change('a.txt', 'two', 'TWO'), swap(at, 'a.txt', 'two', 'TWO')).exit).toBe(0);
    const sub = codex(at, { agent_id: 'sub', agent_type: 'default' });
    expect(sub.pre('apply_patch', change('a.txt', 'three', '3')).exit).toBe(0);
    expect(at.log('agent.join').map(({ agent }) => agent)).toEqual([ID, `${ID}/sub`]);
  });

  it('uses the shell: its writes are judged like those of any command', () => {
    const at = scratch(auto);
    const claude = working(at);
    claude.read('b.txt');
    expect(claude.edit('b.txt', 'beta', 'BETA').pre.exit).toBe(0);
    const { denial } = codex(at).pre('Bash', 'sed -i s/beta/x/ b.txt');
    expect(denial?.error_type).toBe('LOCKED_BY_OTHER');
  });
});

describe('a recorded session of Codex', () => {
  it('goes through without a denial, and every record is its own', () => {
    const at = scratch(auto);
    const answers = recorded('codex', at.root).map(({ event, stdin }) => [
      event,
      told(at, 'codex', stdin).exit,
    ]);
    expect(answers.filter(([, exit]) => exit !== 0)).toEqual([]);
    const agents = new Set(at.log().map(({ agent }) => String(agent)));
    expect([...agents].filter((agent) => !agent.startsWith('codex-'))).toEqual([]);
    expect(agents.size).toBeGreaterThan(2);
  });
});

describe('an event that cannot be read', () => {
  it('is denied before a write, and told elsewhere', () => {
    const at = scratch({ files });
    const broken = (name: string, tool: string) =>
      told(at, 'codex', `{"hook_event_name":"${name}","tool_name":"${tool}",`);
    expect(broken('PreToolUse', 'apply_patch').exit).toBe(2);
    expect(broken('PreToolUse', 'Bash').exit).toBe(0);
    expect(broken('Stop', '').exit).toBe(0);
  });

  it('of a client that guard has no row for is a failure of the hook', () => {
    const at = scratch({ files });
    const answer = told(at, 'nobody', {});
    expect([answer.exit, answer.stderr]).toEqual([1, expect.stringContaining('codex')]);
  });
});
