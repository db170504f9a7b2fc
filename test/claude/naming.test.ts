/**
 * If the environment names no session (clients up to 2.1.100), or the client ignores rewritten command lines as well
 * (2.0.77), an agent that follows its instructions literally still gets its lock.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { permissionRules } from '../../src/install/permission-rules.ts';
import { naming } from '../../src/claude/naming.ts';
import { type Answer, disk, PACKAGE, scratch, type Scratch, Session } from './driver.ts';

const SESSION = 'afe30de8-a8b0-4dae-9cc1-5bf3870e5197';
const NAME = `claude-${SESSION}`;

const recorded = (at: Scratch, name: string, fields: object = {}): object => ({
  ...(JSON.parse(
    fs
      .readFileSync(join(PACKAGE, 'test/fixtures/payloads', `old-2.0.77.${name}.json`), 'utf8')
      .replaceAll('/repo', at.root),
  ) as object),
  ...fields,
});

/** Runs a command with the environment of that client, and without a rewritten line. */
const run = (at: Scratch, line: string) => at.shell(line, { CLAUDECODE: '1' });

const stepsOf = (answer: Answer): readonly string[] => answer.denial?.details.next ?? [];

/** Every guard command in a text that acts for an agent. */
const calls = (text: string): string[] =>
  text.match(/\S*guard(?:\.[cm]js)?'? (?:lock \w+|negotiate \w+|message \w+|unreserve|reserve\b)[^"\n]*/g) ??
  [];

const allowedIn =
  (at: Scratch) =>
  (name: string): readonly string[] =>
    (JSON.parse(at.read(`.claude/${name}`)) as { permissions: { allow: string[] } }).permissions.allow;

const FILES = { 'a.txt': 'one\ntwo\nthree\n' };

/** A session that the client does not name to its commands. */
const nameless = (at: Scratch): Session => Object.assign(new Session(at, { pid: null }), { env: {} });

describe('client 2.0.77, under the standard preset', () => {
  it('a refused edit is approved after the command that it was told', () => {
    const at = scratch({ files: FILES });
    const pre = recorded(at, 'PreToolUse.Edit');
    const refused = at.hook(pre);
    expect(refused.denial?.error_type).toBe('NOT_LOCKED');
    const [lock = ''] = stepsOf(refused);
    expect(refused.stderr).toContain(lock);
    at.hook(recorded(at, 'PreToolUse.Bash', { tool_input: { command: lock } }));
    const told = run(at, lock);
    expect([told.exit, told.stderr]).toEqual([0, '']);
    expect(at.hook(pre)).toMatchObject({ exit: 0, stdout: '' });
    disk.edit(at.path('a.txt'), 'two', 'TWO');
    expect(at.hook(recorded(at, 'PostToolUse.Edit')).exit).toBe(0);
    expect(at.log('hold')).toMatchObject([{ agent: NAME }]);
  });

  it('a session that locks as the session start says may write at once', () => {
    const at = scratch({ files: FILES });
    const start = at.hook({
      session_id: SESSION,
      cwd: at.root,
      hook_event_name: 'SessionStart',
      source: 'startup',
    });
    const [lock = ''] = calls(start.context).filter((call) => call.includes('lock try'));
    expect(lock).toContain(`lock try --agent ${NAME} `);
    for (const call of calls(start.context)) expect(call).toContain(` --agent ${NAME}`);
    expect(run(at, lock.replace(/FILE.*$/, 'a.txt')).exit).toBe(0);
    expect(at.hook(recorded(at, 'PreToolUse.Edit')).exit).toBe(0);
  });

  it('one that is refused for another holder is told commands that work, to wait and to ask', () => {
    const at = scratch({ files: FILES });
    const holder = nameless(at);
    holder.prompt();
    expect(at.guard('lock', 'try', 'a.txt', '--agent', holder.name).exit).toBe(0);
    const refused = at.hook(recorded(at, 'PreToolUse.Edit'));
    expect(refused.denial?.error_type).toBe('LOCKED_BY_OTHER');
    const said = calls(refused.stderr);
    expect(said.length).toBeGreaterThan(1);
    for (const call of said) expect(call).toContain(` --agent ${NAME}`);
    at.guard('lock', 'release', 'a.txt', '--agent', holder.name);
    expect(run(at, `${stepsOf(refused)[0] ?? ''} --timeout 5s`).exit).toBe(0);
  });

  it('a message that asks for a file comes with an answer that can be given', () => {
    const at = scratch({ files: FILES });
    const [holder, asker] = [nameless(at), nameless(at)];
    for (const one of [holder, asker]) one.prompt();
    expect(at.guard('lock', 'try', 'a.txt', '--agent', holder.name).exit).toBe(0);
    const asked = at.guard(
      ...['negotiate', 'request', 'a.txt', '--of', holder.name, '--agent', asker.name, '--reason', 'mine'],
    );
    expect(asked.exit, asked.stderr).toBe(0);
    const { context } = holder.prompt();
    const [answer = ''] = calls(context);
    expect(answer).toContain(`negotiate respond --agent ${holder.name} `);
    expect(run(at, answer.replace(/, or .*$/, '')).exit).toBe(0);
    expect(at.guard('lock', 'try', 'a.txt', '--agent', asker.name).exit).toBe(0);
  });

  it('the spelled commands are covered by the permission rules', () => {
    const at = scratch({ files: FILES });
    const [lock = ''] = stepsOf(at.hook(recorded(at, 'PreToolUse.Edit')));
    const rules = ['settings.json', 'settings.local.json']
      .flatMap(allowedIn(at))
      .map((rule) => /^Bash\((.*):\*\)$/.exec(rule)?.[1] ?? '-');
    expect(rules.some((rule) => lock.startsWith(`${rule} `))).toBe(true);
  });
});

describe('a session that its commands know', () => {
  it('is told commands without its name', () => {
    const at = scratch({ files: FILES });
    const agent = new Session(at);
    agent.prompt();
    const { denial } = agent.edit('a.txt', 'two', 'TWO').pre;
    expect(denial?.details.next.join()).not.toContain('--agent');
    expect(agent.start().context).not.toContain('--agent');
  });
});

describe('naming the agent in what a hook says', () => {
  const say = (stdout: string, guard = 'guard', agent = 'claude-x') =>
    naming({ exit: 0, stdout, stderr: stdout }, guard, agent).stdout;

  it('finds every command that acts for somebody, behind its subcommand', () => {
    const acting = permissionRules('guard')
      .map((rule) => /^Bash\(guard (\w+):/.exec(rule)?.[1] ?? '')
      .filter((name) => !['', 'status', 'deadlock', 'log'].includes(name));
    for (const name of acting) {
      const command = `guard ${name}${['lock', 'message', 'negotiate'].includes(name) ? ' do' : ''}`;
      expect(say(`Run: ${command} x`), name).toBe(`Run: ${command} --agent claude-x x`);
    }
  });

  it.each([
    'guard keeps their edits apart',
    'guard log --type write.rejected --agent claude-x/y',
    'guard lock try --agent claude-x a.txt',
    'lifeguard lock try a.txt',
    'guard reserves nothing',
  ])('leaves alone: %s', (text) => {
    expect(say(text)).toBe(text);
  });

  it('knows guard by the command on record, quotes included', () => {
    expect(say("node '/opt/a b/bin/guard.cjs' lock wait x", "node '/opt/a b/bin/guard.cjs'")).toBe(
      "node '/opt/a b/bin/guard.cjs' lock wait --agent claude-x x",
    );
  });

  it("never changes an agent's own command line", () => {
    const rewritten = '{"hookSpecificOutput":{"updatedInput":{"command":"echo guard lock try x"}}}';
    expect(say(rewritten)).toBe(rewritten);
  });

  it('leaves an id alone that no option would take', () => {
    expect(say('guard lock try x', 'guard', 'claude-a"; rm')).toBe('guard lock try x');
  });
});

describe('guard below a directory with a quote in its name', () => {
  it('is recognised in JSON within JSON too', () => {
    const guard = `node '/home/o'\\''b/guard.mjs'`;
    const reason = JSON.stringify({ next: [`${guard} lock try /r/a`] });
    const { stdout } = naming({ exit: 2, stdout: JSON.stringify({ reason }), stderr: reason }, guard, NAME);
    const said = JSON.parse((JSON.parse(stdout) as { reason: string }).reason) as { next: string[] };
    expect(said.next).toEqual([`${guard} lock try --agent ${NAME} /r/a`]);
  });
});
