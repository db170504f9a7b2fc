/** A hook whose program is damaged: one line of output, and a denial only through the entry for writes. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failClosed } from '../../src/install/command.ts';
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
        '(function(module){module.exports={run:(first)=>JSON.parse(first).kind,endProcess:process.exit}})',
      );
    const kept = (): readonly string[] =>
      fs.readdirSync(dir).flatMap((name) => /^(.*\.cjs[^.]*)\..*compiled$/.exec(name)?.[1] ?? []);
    return { line: `node '${dir}/hook.cjs'`, kept };
  };
  it.each([
    ['a write that nothing is said to', 'Pre', 'Edit', 'silent', ['hook-main.cjs']],
    ['a write that something is said to', 'Pre', 'Edit', 'told', []],
    ['a command that was judged', 'Pre', 'Bash', 'typical', ['hook-command.cjs']],
    ['a command that only looks', 'Pre', 'Bash', 'silent', []],
    ['what follows a write', 'Post', 'Write', 'silent', ['hook-after.cjs']],
    ['what follows a Read', 'Post', 'Read', 'silent', ['hook-after.cjs-read']],
    ['anything else', 'Pre', 'Read', 'silent', []],
  ])('is the compiled form of what it used: %s', (_what, when, tool_name, kind, files) => {
    const { line, kept } = place();
    const input = JSON.stringify({ hook_event_name: `${when}ToolUse`, tool_name, kind });
    const { code } = run('/bin/sh', ['-c', line], { cwd: base, env: plainEnv(base), input });
    expect([code, kept()]).toEqual([0, files]);
  });
});
