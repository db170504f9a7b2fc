/** A hook whose program is damaged: one line of output, and a denial only through the entry for writes. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failClosed } from '../../src/install/command.ts';
import { disk, oneAgent } from './driver.ts';
import { hookHere } from './driver/in-process.ts';
import { fieldsOf } from './driver/session.ts';
import { PACKAGE, plainEnv, run, scratchDir } from '../install/scratch.ts';

const base = scratchDir('guard-entry-');
const hook = join(base, 'hook.cjs');
fs.copyFileSync(join(PACKAGE, 'dist', 'hook.cjs'), hook);

function fire(main: string | null, line: string, hook_event_name: string) {
  const file = join(base, 'hook-main.cjs');
  if (main === null) fs.rmSync(file, { force: true });
  else fs.writeFileSync(file, main);
  const options = { cwd: base, env: plainEnv(base), input: JSON.stringify({ hook_event_name }) };
  return run('/bin/sh', ['-c', line], options);
}

const LINE = `node '${hook}'`;

describe.each([
  ['is missing', null],
  ['is cut off', '(function(module){module.exports={run(){'],
  ['throws while it is loaded', '(function(){throw new Error("one\\ntwo")})'],
  ['throws when it runs', '(function(module){module.exports={run(){throw new TypeError("x")}}})'],
  ['needs a file that is missing', '(function(module,require){require("./on-use/gone.cjs")})'],
])('a program whose bundle %s', (_what, main) => {
  it('says so in one line, and neither stops nor restarts an agent', () => {
    for (const event of ['Stop', 'PostToolUse', 'UserPromptSubmit']) {
      const { code, stdout, stderr } = fire(main, LINE, event);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^guard cannot start: .+ Run: guard doctor\n$/);
    }
  });

  it('is a denial of a write, by the entry for writes', () => {
    const { code, stderr } = fire(main, failClosed(LINE), 'PreToolUse');
    expect(code).toBe(2);
    expect(stderr).toContain('guard did not start');
  });
});

describe('what an event leaves for the next', () => {
  const place = (): { readonly line: string; readonly kept: () => readonly string[] } => {
    const dir = fs.mkdtempSync(join(base, 'kept-'));
    fs.copyFileSync(hook, join(dir, 'hook.cjs'));
    for (const name of ['hook-main.cjs', 'hook-command.cjs', 'hook-after.cjs'])
      fs.writeFileSync(
        join(dir, name),
        '(function(module){module.exports={run:(first)=>JSON.parse(first).is_typical,endProcess:process.exit}})',
      );
    const kept = (): readonly string[] =>
      fs.readdirSync(dir).flatMap((name) => /^(.*\.cjs[^.]*)\..*compiled$/.exec(name)?.[1] ?? []);
    return { line: `node '${dir}/hook.cjs'`, kept };
  };
  it.each([
    ['a write that was approved', 'Pre', 'Edit', true, ['hook-main.cjs']],
    ['a write that something is said to', 'Pre', 'Edit', false, []],
    ['a command that was judged', 'Pre', 'Bash', true, ['hook-command.cjs']],
    ['a command that only looks', 'Pre', 'Bash', false, []],
    ['what follows a write', 'Post', 'Write', true, ['hook-after.cjs']],
    ['what follows a Read', 'Post', 'Read', true, ['hook-after.cjs-read']],
    ['what follows a Read that nothing was learned from', 'Post', 'Read', false, []],
  ])('is the compiled form of what it used: %s', (_what, when, tool_name, is_typical, files) => {
    const { line, kept } = place();
    const input = JSON.stringify({ hook_event_name: `${when}ToolUse`, tool_name, is_typical });
    const { code } = run('/bin/sh', ['-c', line], { cwd: base, env: plainEnv(base), input });
    expect([code, kept()]).toEqual([0, files]);
  });

  it('is made by a Read, a write and its end that guard kept track of, not while it is off', () => {
    const { at, agent } = oneAgent({ files: { 'src/a.txt': 'one\n' } });
    agent.lock('src/a.txt');
    const file = at.path('src/a.txt');
    const input = { file_path: file, old_string: 'o', new_string: 'o', replace_all: false };
    const fire = (event: string, fields: object) =>
      Object.hasOwn(
        hookHere(at, JSON.stringify(agent.payload(event, { ...fields })), agent.env),
        'is_typical',
      );
    const events = (): readonly boolean[] => {
      const read = agent.call('Read', { file_path: file });
      const edit = agent.call('Edit', input);
      return [
        fire('PostToolUse', { ...fieldsOf(read), tool_response: disk.read(file), duration_ms: 9 }),
        fire('PreToolUse', fieldsOf(edit)),
        fire('PostToolUse', { ...fieldsOf(edit), tool_response: disk.edit(file, 'o', 'o'), duration_ms: 9 }),
        fire('PreToolUse', fieldsOf(agent.call('WebFetch', {}))),
      ];
    };
    expect(events()).toEqual([true, true, true, false]);
    const [since_wall_ms, until_wall_ms] = [Date.now() - 1, Date.now() + 60_000];
    at.put(`${at.state}/off.json`, JSON.stringify({ since_wall_ms, until_wall_ms, by: 'me' }));
    expect(events().slice(1)).toEqual([false, false, false]);
  });
});
