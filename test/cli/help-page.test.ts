/** Every help page begins with examples, and every example is a command line that guard accepts. */
import type { Command } from 'commander';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CommandRow, COMMANDS } from '../../src/cli/commands.ts';
import { EXAMPLES } from '../../src/cli/examples/examples.ts';
import { SUB_COMMAND_EXAMPLES } from '../../src/cli/examples/sub-commands.ts';
import { runProgram } from '../../src/cli/program.ts';
import { spelledOut } from '../../src/cli/spelled-out.ts';
import { calledAs } from '../../src/cli/usage-error.ts';
import { PACKAGE, scratchDir, text } from '../install/scratch.ts';
import { declared, wordsIn } from './declared.ts';
import { SILENT_SHELL } from './silent-shell.ts';

const leavesOf = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

const MORE = Object.values(SUB_COMMAND_EXAMPLES).flatMap((examples) => examples.map(([line]) => line));
const ALL = [...Object.values(EXAMPLES).flatMap(({ examples }) => examples.map(([line]) => line)), ...MORE];

/** Pages of sub-commands that take an id or nothing, so there are fewer than three sensible uses. */
const FEW: Readonly<Record<string, number>> = {
  ...{ 'guard agent attach': 1, 'guard git-hook pre-commit': 1, 'guard git-hook pre-push': 1 },
  ...{ 'guard agent logs': 2, 'guard agent discard': 2 },
  ...{ 'guard role list': 2, 'guard task list': 2, 'guard task context': 2 },
  ...{ 'guard message thread': 2, 'guard negotiate pending': 2 },
  ...{ 'guard fleet join': 2, 'guard fleet status': 2 },
};

async function page(...argv: readonly string[]): Promise<string> {
  let told = '';
  const shell = { ...SILENT_SHELL, out: (said: string) => void (told += said) };
  await runProgram(argv, shell, '0');
  return told;
}

async function refusal(...argv: readonly string[]): Promise<string> {
  let told = '';
  await runProgram(argv, { ...SILENT_SHELL, err: (said) => void (told += said) }, '0');
  return told;
}

it.each([
  [['log', '--type', 'write.rejcted'], 'Did you mean write.rejected?'],
  [['init', '--preset', 'strickt'], 'Did you mean strict?'],
  [['init', '--host', 'vim'], 'See "guard init --help".'],
  [['lock', 'tyr', 'a'], 'Did you mean "guard lock try"?'],
])('a wrong word in guard %j is answered with the nearest right one', async (argv, hint) => {
  expect(await refusal(...argv)).toContain(hint);
});

describe('examples', () => {
  it('are three at least on each page, also of a sub-command that has as many uses', async () => {
    const few = COMMANDS.filter(({ name }) => (EXAMPLES[name]?.examples.length ?? 0) < 3);
    expect(few.map(({ name }) => name)).toEqual([]);
    const leaves = leavesOf(await declared()).map(calledAs);
    const counted = leaves
      .filter((name) => name.split(' ').length > 2)
      .map((name) => [name, ALL.filter((line) => `${line} `.startsWith(`${name} `)).length] as const)
      .filter(([name, count]) => count < 3 || FEW[name] !== undefined);
    expect(Object.fromEntries(counted)).toEqual(FEW);
    expect(MORE.filter((line) => ALL.indexOf(line) !== ALL.lastIndexOf(line))).toEqual([]);
    expect(Object.keys(SUB_COMMAND_EXAMPLES).filter((name) => !leaves.includes(`guard ${name}`))).toEqual([]);
    expect(Object.keys(EXAMPLES).filter((name) => !COMMANDS.some((row) => row.name === name))).toEqual([]);
  });

  it.each(ALL.filter((line) => !line.startsWith('guard hook')))('%s is read', async (line) => {
    const [, ...words] = wordsIn(line);
    const program = await declared();
    await program.parseAsync(spelledOut(words, COMMANDS), { from: 'user' });
  });

  const ASKS = ['every_day', 'agents'] satisfies CommandRow['group'][];
  const asking = COMMANDS.filter(({ group }) => ASKS.some((one) => one === group)).map(({ name }) => name);
  it.each([
    ...asking.flatMap((name) => (EXAMPLES[name]?.examples ?? []).map(([line]) => line)),
    ...MORE.filter((line) => asking.some((name) => line.startsWith(`guard ${name} `))),
  ])('%s is what its operation takes', async (line) => {
    const said: unknown[] = [];
    const [, ...words] = wordsIn(line);
    const cwd = scratchDir('guard-example-');
    writeFileSync(join(cwd, 'plan.json'), '{}');
    writeFileSync(join(cwd, 'plan.md'), 'Do it.');
    const shell = { ...SILENT_SHELL, cwd, env: { HOME: cwd }, isInteractive: true };
    const err = (words_said: string) => void said.push(words_said);
    await runProgram(words, { ...shell, err }, '0');
    // There is no repository, so a valid command line still has nothing to act on.
    expect(said.join('')).not.toContain('GUARD_ERR_USAGE');
  });
});

describe('a help page', () => {
  it('begins with the examples of just that sub-command', async () => {
    const told = await page('help', 'lock', 'wait');
    expect(told).toMatch(
      /^Examples:\n(?: {2}guard lock wait .*\n){3}\nUsage: guard lock wait \[options\] <paths\.\.\.>/,
    );
    expect(told).not.toContain('guard lock try');
    expect(await page('lock', 'wait', '--help')).toBe(told);
    expect(await page('lock', 'help', 'wait')).toBe(told);
  });

  it('of agent and agents names the other', async () => {
    expect(await page('help', 'agent')).toContain('"guard agents"');
    expect(await page('help', 'agents')).toContain('"guard agent"');
    expect(await refusal('agents', 'draft')).toContain('see "guard agent --help"');
  });

  it('of guard itself is what no words at all answer, in groups', async () => {
    const told = await page();
    expect(told).toBe(await page('--help'));
    const groups = ['Set up:', 'Every day:', 'Agents:', 'Ledger:', 'Programs:'].map((name) =>
      told.indexOf(name),
    );
    expect(groups).toEqual(groups.toSorted((a, b) => a - b));
    expect(groups[0]).toBeGreaterThan(0);
    expect(told).not.toContain('\nCommands:');
  });
});

describe('README', () => {
  it('names every command that takes no --json', async () => {
    const [, named = ''] =
      /^All commands except (.+?) take `--json`/m.exec(text(join(PACKAGE, 'README.md'))) ?? [];
    const without = leavesOf(await declared()).filter(({ options }) =>
      options.every(({ long }) => long !== '--json'),
    );
    const hidden = COMMANDS.filter((row) => row.hidden === true).map(({ name }) => `guard ${name}`);
    expect([...named.matchAll(/`([^`]+)`/g)].map(([, name = '']) => `guard ${name}`).sort()).toEqual(
      without
        .map(calledAs)
        .filter((name) => !hidden.some((one) => name.startsWith(one)))
        .sort(),
    );
  });
});

describe('guard agents --drafted', () => {
  it('is guard agent list, with the options of that', () => {
    expect(spelledOut(['agents', '--json', '--drafted', '--all'], COMMANDS)).toEqual([
      'agent',
      'list',
      '--json',
      '--all',
    ]);
    expect(spelledOut(['message', 'send', '--drafted'], COMMANDS)).toEqual(['message', 'send', '--drafted']);
    expect(spelledOut(['agents', '--drafted', '--help'], COMMANDS)).toEqual([
      'agents',
      '--drafted',
      '--help',
    ]);
  });
});
