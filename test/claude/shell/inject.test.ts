/** How words of command lines are rewritten. */
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import type { Shell } from '../../../src/cli/shell.ts';
import { injectAgent } from '../../../src/claude/shell/inject.ts';

const ME = 'claude-s/a1';
const inject = (command: string): string | null => injectAgent(command, ME);

describe('a command that acts for somebody, and no other,', () => {
  it.each(COMMANDS.map(({ name, load }) => ({ name, load })))(
    'is named: guard $name',
    async ({ name, load }) => {
      const command = new Command(name);
      (await load()).define(command, {} as Shell, COMMANDS);
      for (const [words, leaf] of leavesOf(command, `guard ${name}`)) {
        const acts =
          leaf.options.some(({ long }) => long === '--agent') &&
          !['explain', 'log', 'mcp', 'undo'].includes(name);
        expect([words, inject(words)]).toEqual([words, acts ? `${words} --agent ${ME}` : null]);
      }
    },
  );
});

const leavesOf = (command: Command, words: string): [string, Command][] =>
  command.commands.length === 0
    ? [[words, command]]
    : command.commands.flatMap((sub) => leavesOf(sub, `${words} ${sub.name()}`));

describe('each guard call of a parsed line is named, behind its subcommand', () => {
  it.each([
    ['guard lock try a', 'guard lock try --agent claude-s/a1 a'],
    [
      'guard lock try a && guard lock try b',
      'guard lock try --agent claude-s/a1 a && guard lock try --agent claude-s/a1 b',
    ],
    ['guard lock try a; guard status', 'guard lock try --agent claude-s/a1 a; guard status'],
    [
      'guard lock try a || guard lock wait a',
      'guard lock try --agent claude-s/a1 a || guard lock wait --agent claude-s/a1 a',
    ],
    ['cd src\nguard lock try a', 'cd src\nguard lock try --agent claude-s/a1 a'],
    [
      'for f in a b; do guard lock try "$f"; done',
      'for f in a b; do guard lock try --agent claude-s/a1 "$f"; done',
    ],
    [
      'while ! guard lock try a; do sleep 1; done',
      'while ! guard lock try --agent claude-s/a1 a; do sleep 1; done',
    ],
    ['if guard lock try a; then make; fi', 'if guard lock try --agent claude-s/a1 a; then make; fi'],
    ['f() { guard lock try "$1"; }; f a', 'f() { guard lock try --agent claude-s/a1 "$1"; }; f a'],
    ['(guard lock try a)', '(guard lock try --agent claude-s/a1 a)'],
    ['echo "$(guard lock status a --json)"', 'echo "$(guard lock status --agent claude-s/a1 a --json)"'],
    ['x=$(guard lock try a) && echo $x', 'x=$(guard lock try --agent claude-s/a1 a) && echo $x'],
    ['cat <(guard lock status a)', 'cat <(guard lock status --agent claude-s/a1 a)'],
    ['guard lock try a 2>&1 | tee log', 'guard lock try --agent claude-s/a1 a 2>&1 | tee log'],
    ['guard lock try a > out &', 'guard lock try --agent claude-s/a1 a > out &'],
    ['guard lock try -- -a', 'guard lock try --agent claude-s/a1 -- -a'],
    ["guard lock try 'a b'", "guard lock try --agent claude-s/a1 'a b'"],
    ['guard lock release --all-held', 'guard lock release --agent claude-s/a1 --all-held'],
    [
      'cat <<EOF\nguard lock try a\nEOF\nguard lock try b',
      'cat <<EOF\nguard lock try a\nEOF\nguard lock try --agent claude-s/a1 b',
    ],
    ['GUARD_AGENT_ID=other guard lock try a', 'GUARD_AGENT_ID=other guard lock try --agent claude-s/a1 a'],
    [
      'env GUARD_AGENT_ID=other guard lock try a',
      'env GUARD_AGENT_ID=other guard lock try --agent claude-s/a1 a',
    ],
    ['npx guard lock try a', 'npx guard lock try --agent claude-s/a1 a'],
    ['npx --no-install guard lock try a', 'npx --no-install guard lock try --agent claude-s/a1 a'],
    ['pnpm exec guard lock try a', 'pnpm exec guard lock try --agent claude-s/a1 a'],
    ['yarn guard lock try a', 'yarn guard lock try --agent claude-s/a1 a'],
    ['sudo -n guard lock try a', 'sudo -n guard lock try --agent claude-s/a1 a'],
    ['timeout 5 guard lock wait a', 'timeout 5 guard lock wait --agent claude-s/a1 a'],
    ['printf a | xargs guard lock try', 'printf a | xargs guard lock try --agent claude-s/a1'],
    [
      'node /opt/guard/bin/guard.cjs lock try a',
      'node /opt/guard/bin/guard.cjs lock try --agent claude-s/a1 a',
    ],
    ["node '/my apps/guard.mjs' lock try a", "node '/my apps/guard.mjs' lock try --agent claude-s/a1 a"],
    ['/usr/local/bin/guard lock try a', '/usr/local/bin/guard lock try --agent claude-s/a1 a'],
    ['./node_modules/.bin/guard lock try a', './node_modules/.bin/guard lock try --agent claude-s/a1 a'],
    ['guard message send x', 'guard message send --agent claude-s/a1 x'],
  ])('%s', (command, expected) => {
    expect(inject(command)).toBe(expected);
  });
});

describe('a name that is there', () => {
  it.each([
    ['guard lock try a --agent other', 'guard lock try a --agent claude-s/a1'],
    ['guard lock try a --agent=other', 'guard lock try a --agent claude-s/a1'],
    ['guard lock try --agent "$X" a', 'guard lock try --agent claude-s/a1 a'],
    [`guard lock try '--agent' other a`, 'guard lock try --agent claude-s/a1 a'],
    [
      'guard lock try a --agent other --agent another',
      'guard lock try a --agent claude-s/a1 --agent claude-s/a1',
    ],
    [
      'guard lock try a --agent=claude-s/a1 --agent other',
      'guard lock try a --agent=claude-s/a1 --agent claude-s/a1',
    ],
    ['guard lock try a --agent', 'guard lock try a --agent claude-s/a1'],
  ])('is replaced: %s', (command, expected) => {
    expect(inject(command)).toBe(expected);
  });

  it('and is the right one is left alone', () => {
    expect(inject('guard lock try a --agent claude-s/a1')).toBeNull();
  });

  it('behind "--" is a file name', () => {
    expect(inject('guard lock try -- --agent')).toBe('guard lock try --agent claude-s/a1 -- --agent');
  });
});

describe('a line that cannot be read, or that hides the call in a string', () => {
  it.each([
    'guard lock try "a',
    'if guard lock try a',
    'guard lock try $(',
    `bash -c 'guard lock try a'`,
    'sh -ec "cd x && guard lock try a"',
    'eval "guard lock try a"',
    `cd x && /bin/bash -lc 'guard lock release --all-held'`,
  ])('gets the name exported in front of it: %s', (command) => {
    expect(inject(command)).toBe(`export GUARD_AGENT_ID=claude-s/a1; ${command}`);
  });

  it('however deep or long it is', () => {
    const deep = `${'('.repeat(50_000)}guard lock try a`;
    expect(inject(deep)).toBe(`export GUARD_AGENT_ID=claude-s/a1; ${deep}`);
  });

  it('a hostile agent id is quoted', () => {
    expect(injectAgent('guard lock try a', `claude-s/x'; rm -rf /; '`)).toBe(
      `guard lock try --agent 'claude-s/x'\\''; rm -rf /; '\\''' a`,
    );
  });
});

describe('what is no guard call', () => {
  it.each([
    'ls',
    'echo guard',
    'guardian lock try a',
    'my-guard lock try a',
    'git commit -m "use guard lock try"',
    'grep -rn "guard lock" docs',
    `bash -c 'ls'`,
    '# guard lock try a',
    'guard',
    'guard --version',
    'guard hook',
    'guard status --json',
    'guard log --type write.rejected --agent claude-s/a2',
    'guard deadlock && guard verify',
    'npm install guard lodash',
  ])('is left alone: %s', (command) => {
    expect(inject(command)).toBeNull();
  });
});
