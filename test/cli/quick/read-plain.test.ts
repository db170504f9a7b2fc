import { Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import * as agents from '../../../src/cli/commands/agents.ts';
import * as conflicts from '../../../src/cli/commands/conflicts.ts';
import * as lock from '../../../src/cli/commands/lock.ts';
import * as message from '../../../src/cli/commands/message.ts';
import * as reservations from '../../../src/cli/commands/reservations.ts';
import * as reserve from '../../../src/cli/commands/reserve.ts';
import * as status from '../../../src/cli/commands/status.ts';
import * as unreserve from '../../../src/cli/commands/unreserve.ts';
import { QuickCommand, type QuickForm } from '../../../src/cli/quick/declared.ts';
import type { QuickModules } from '../../../src/cli/quick/main.ts';
import { readPlain } from '../../../src/cli/quick/read-plain.ts';
import { randomOf } from '../../core/deadlock/histories.ts';
import { SILENT_SHELL } from '../silent-shell.ts';

const MODULES: QuickModules = {
  ...{ agents, conflicts, lock, message, reservations, reserve, status, unreserve },
};

interface Read {
  readonly path: string;
  readonly args: readonly string[];
  readonly options: object;
}

/** The line as `act` would read it; `null` if commander rejects it or prints help. */
async function byCommander([name = '', ...words]: readonly string[]): Promise<Read | null> {
  let read: Read | null = null;
  const program = new Command('guard').option('--no-color').version('1', '-V, --version');
  const silent = (command: Command): Command =>
    command
      .exitOverride()
      .allowExcessArguments(false)
      .configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  silent(program);
  const command = silent(program.command(name));
  MODULES[name]?.define(command, SILENT_SHELL);
  const every = [command, ...command.commands];
  for (const one of every) {
    silent(one);
    one.action(() => {
      const options: Record<string, unknown> = one.optsWithGlobals();
      delete options['color'];
      read = { path: one.name(), args: one.args, options };
    });
  }
  // A command with sub-commands has no action of its own.
  if (command.commands.length > 0) command.action(() => undefined);
  try {
    await program.parseAsync([name, ...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return null;
  }
  return read;
}

function byReader([name = '', ...words]: readonly string[]): Read | null {
  const root = new QuickCommand();
  MODULES[name]?.define(root, SILENT_SHELL);
  let form: QuickForm | null;
  try {
    form = readPlain(root, words);
  } catch {
    return null;
  }
  if (form === null) return null;
  const sub = [...root.commands].find(([, one]) => one === form)?.[0];
  return { path: sub ?? name, ...form.given };
}

const RUNS = Number(process.env['GUARD_FUZZ_RUNS'] ?? 1) * 4_000;

const HEADS = [
  ...['lock try', 'lock wait', 'lock release', 'lock status', 'lock', 'status', 'reserve', 'unreserve'],
  ...['reservations', 'conflicts', 'agents', 'message send', 'message inbox', 'message thread'],
  ...['message ack', 'message settings', 'message'],
].map((head) => head.split(' '));

const WORDS = [
  ...[
    'a.txt',
    'src/**',
    '',
    '-',
    '--',
    '-x',
    '--json',
    '--agent',
    'me',
    'other',
    '--agent=me',
    '--shared',
    '--all',
  ],
  ...[
    '--ttl',
    '90s',
    '--ttl=15m',
    '--timeout',
    'soon',
    '--all-held',
    '--reason',
    'because',
    '--reason=',
    '--to',
  ],
  ...[
    '--to=a',
    '--topic',
    '--subject',
    '--importance',
    'high',
    '--ack',
    '--cursor',
    '--include-read',
    '--block',
  ],
  ...[
    '--follow',
    '--mine',
    '--project',
    '--capability',
    '--name',
    '--can',
    '--status',
    '--watch',
    '--help',
    '-h',
  ],
  ...[
    'help',
    '--version',
    '-V',
    '--no-color',
    '--json=1',
    '--unknown',
    '--unknown=1',
    'try',
    '-5',
    '--ag',
    '===',
  ],
];

describe('a command line that the plain reader takes', () => {
  it('is read as commander reads it, and whatever commander refuses is left to it', async () => {
    const below = randomOf(20_261_123);
    const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
    let taken = 0;
    for (let run = 0; run < RUNS; run++) {
      const head = pick(HEADS);
      const words = Array.from({ length: below(6) }, () => pick(WORDS));
      const line = [...head, ...words];
      const quick = byReader(line);
      if (quick === null) continue;
      taken += 1;
      expect({ line, read: await byCommander(line) }).toEqual({ line, read: quick });
    }
    expect(taken).toBeGreaterThan(RUNS / 20);
  });

  it.each([
    ['lock try a.txt --agent me', 'try', ['a.txt'], { agent: 'me' }],
    [
      'lock wait --timeout 5s --agent=me a b --json',
      'wait',
      ['a', 'b'],
      { timeout: '5s', agent: 'me', json: true },
    ],
    ['message send hi --to a --to b', 'send', ['hi'], { to: ['a', 'b'] }],
    ['reserve src/** --reason --shared', 'reserve', ['src/**'], { reason: '--shared' }],
    ['status', 'status', [], {}],
    // The operation reports missing arguments.
    ['reserve src/**', 'reserve', ['src/**'], {}],
    ['message thread', 'thread', [], {}],
  ])('%s', (line, path, args, options) => {
    expect(byReader(line.split(' '))).toEqual({ path, args, options });
  });

  it.each([
    ['lock try a.txt --help', 'help'],
    ['lock', 'no sub-command'],
    ['lock --json try a', 'an option before the sub-command'],
    ['lock try a -- -b', 'the end of options'],
    ['message thread a b', 'an operand too many'],
    ['lock try a --ttl', 'a missing value'],
    ['lock try a --agent me --agent you', 'two agents'],
    ['lock try a --json=yes', 'a value for none'],
  ])('is not %s (%s)', (line) => {
    expect(byReader(line.split(' '))).toBeNull();
  });
});
