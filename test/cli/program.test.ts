import { createColors } from 'picocolors';
import { Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { act } from '../../src/cli/act.ts';
import { type CommandRow, COMMANDS } from '../../src/cli/commands.ts';
import { runProgram } from '../../src/cli/program.ts';
import { type Shell, wantsColor } from '../../src/cli/shell.ts';
import { GuardError } from '../../src/core/error.ts';

const command = (name: string, define: Awaited<ReturnType<CommandRow['load']>>['define']): CommandRow => ({
  name,
  summary: `does ${name}`,
  load: () => Promise.resolve({ define }),
});

const TABLE: readonly CommandRow[] = [
  command('yes', (cmd, shell) => act(cmd, shell, () => 0)),
  command('no', (cmd, shell) => act(cmd.option('--json'), shell, () => 1)),
  command('known', (cmd, shell) =>
    act(cmd.option('--json'), shell, () => {
      throw new GuardError('GUARD_ERR_CORRUPT', 'The ledger is damaged.', 'Run guard doctor.', { at: 7 });
    }),
  ),
  command('usage', (cmd, shell) =>
    act(cmd, shell, () => {
      throw new GuardError('GUARD_ERR_USAGE', 'Not so.', 'Like this.');
    }),
  ),
  command('bug', (cmd, shell) =>
    act(cmd.option('--json'), shell, () => {
      throw new TypeError('x is not a function');
    }),
  ),
  command('nested', (cmd, shell) => {
    const sub = cmd
      .command('try')
      .argument('<path...>')
      .addOption(new Option('--mode <mode>').choices(['a', 'b']));
    act(sub, shell, ({ args, options }) => {
      shell.json({ args, options });
      return 0;
    });
  }),
  { name: 'lazy', summary: 'is never loaded', load: () => Promise.reject(new Error('loaded')) },
];

async function play(...argv: string[]) {
  const said = { out: '', err: '' };
  const shell: Shell = {
    cwd: '/',
    env: {},
    isInteractive: false,
    isWatched: false,
    color: createColors(false),
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    json: (value) => void (said.out += `${JSON.stringify(value)}\n`),
    exitCode: 0,
  };
  return { code: await runProgram(argv, shell, '9.9.9', TABLE), ...said };
}

describe('exit codes', () => {
  it.each([
    [['yes'], 0],
    [['no'], 1],
    [['known'], 2],
    [['bug'], 2],
    [['usage'], 64],
    [['--help'], 0],
    [['yes', '--help'], 0],
    [['help', 'nested'], 0],
    [['--version'], 0],
    [[], 0],
    [['help', 'nothing'], 64],
    [['nothing', '--help'], 64],
    [['help', 'nested', 'try'], 0],
    [['help', 'nested', 'nothing'], 64],
    [['help', 'yes', 'nothing'], 64],
    [['nothing'], 64],
    [['yes', '--nothing'], 64],
    [['yes', 'too', 'many'], 64],
    [['nested'], 64],
    [['nested', 'try'], 64],
    [['nested', 'try', 'a', '--mode', 'c'], 64],
    [['nested', 'try', 'a', '--mode', 'b'], 0],
  ])('guard %j: %d', async (argv, code) => {
    expect((await play(...argv)).code).toBe(code);
  });
});

describe('a failure', () => {
  it('says code, message and what to do, on standard error', async () => {
    expect(await play('known')).toEqual({
      code: 2,
      out: '',
      err: 'guard: GUARD_ERR_CORRUPT The ledger is damaged.\n  Run guard doctor.\n',
    });
  });

  it('is data too under --json', async () => {
    const { out, err } = await play('known', '--json');
    expect(JSON.parse(out)).toEqual({
      error: {
        code: 'GUARD_ERR_CORRUPT',
        message: 'The ledger is damaged.',
        hint: 'Run guard doctor.',
        facts: { at: 7 },
      },
    });
    expect(err).toContain('GUARD_ERR_CORRUPT');
  });

  it('that is unexpected shows its stack', async () => {
    const { err, out } = await play('bug', '--json');
    expect(err).toContain('GUARD_ERR_INTERNAL');
    expect(err).toContain('program.test.ts');
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'GUARD_ERR_INTERNAL' } });
  });
});

describe('a wrong command line', () => {
  it.each([
    [['nothing', '--json'], 'nothing'],
    [['yes', '--nothing', '--json'], '--nothing'],
    [['nested', '--json'], '--json'],
    [['nested', 'try', 'a', '--mode', 'c', '--json'], '--mode'],
    [['nested', 'try', 'a', '--json', '--mode'], '--mode'],
    [['nested', 'try', '--mode', 'a', '--json'], '--json'],
    [['help', 'nested', 'nothing', '--json'], 'nothing'],
    [['--json'], '--json'],
  ])('guard %j is data under --json, and names what is wrong', async (argv, field) => {
    const { code, out, err } = await play(...argv);
    expect([code, JSON.parse(out)]).toMatchObject([
      64,
      { error: { code: 'GUARD_ERR_USAGE', facts: { field } } },
    ]);
    expect(err).toMatch(/^guard: GUARD_ERR_USAGE [A-Z].*[.?]\n {2}\S/);
  });

  it.each([
    [['nested', 'try'], 'path'],
    [['nested', 'try', 'a', '--mode'], '--mode'],
    [['nested'], '"guard nested" needs one of try.'],
  ])('guard %j is words without it', async (argv, field) => {
    expect(await play(...argv)).toMatchObject({
      code: 64,
      out: '',
      err: expect.stringContaining(field) as string,
    });
  });

  it('suggests the intended word, if one is close', async () => {
    expect((await play('nesetd')).err).toContain('Did you mean "guard nested"?');
    expect((await play('help', 'nested', 'tyr')).err).toContain('Did you mean "guard nested try"?');
    expect((await play('nested', 'tyr', 'a')).err).toContain('Did you mean "guard nested try"?');
    expect((await play('nested', 'try', 'a', '--moda', 'a')).err).toContain('Did you mean --mode?');
  });

  it('has its --json looked for only in front of the end of options', async () => {
    expect((await play('yes', '--', '--json')).out).toBe('');
  });
});

describe('commands', () => {
  it('get operands and options', async () => {
    expect(JSON.parse((await play('nested', 'try', 'a b', '-', '--mode', 'a')).out)).toEqual({
      args: ['a b', '-'],
      options: { color: true, mode: 'a' },
    });
  });

  it('are loaded only when they are called', async () => {
    expect((await play('--help')).out).toContain('is never loaded');
    expect((await play('lazy')).err).toContain('loaded');
  });

  it('print words on standard error and help on standard output', async () => {
    expect(await play('nothing')).toMatchObject({
      out: '',
      err: expect.stringContaining("guard: GUARD_ERR_USAGE Unknown command 'nothing'.") as string,
    });
    expect(await play('--help')).toMatchObject({
      err: '',
      out: expect.stringContaining('Exit codes') as string,
    });
    expect(await play('--version')).toMatchObject({ err: '', out: '9.9.9\n' });
  });

  it('have a summary each, in the real table, and every name once', () => {
    expect(COMMANDS.filter(({ summary }) => summary === '')).toEqual([]);
    expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length);
  });
});

describe('colors', () => {
  it.each([
    [[], {}, true, true],
    [[], {}, false, false],
    [['--no-color'], {}, true, false],
    [[], { NO_COLOR: '1' }, true, false],
    [[], { NO_COLOR: '' }, true, true],
    [[], { TERM: 'dumb' }, true, false],
  ])('%j with %j on a terminal %s: %s', (argv, env, terminal, wants) => {
    expect(wantsColor(argv, env, terminal)).toBe(wants);
  });
});
