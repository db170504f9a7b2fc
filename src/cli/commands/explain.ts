/** `guard explain [EVENT.json]`: what guard would answer to a hook event now and by which rules, or why it refused the last one. */
import fs from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { explain } from '../../claude/explain.ts';
import { parseInput } from '../../claude/input.ts';
import { GuardError } from '../../core/error.ts';
import { act } from '../act.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { say, type Shell } from '../shell.ts';
import { explainLast } from '../last-denial.ts';
import { openLedger } from '../../workspace/open-ledger.ts';
import { guardedRepo } from '../command-place.ts';
import { explanationLines } from '../view/explanation.ts';
import { lastDenialLines } from '../view/last-denial-lines.ts';
import { namesHere } from '../view/names-here.ts';

interface Options {
  readonly json?: boolean;
  readonly last?: true;
  readonly agent?: string;
}

export function define(command: Command, shell: Shell): void {
  command
    .argument('[event]', 'a file with one hook event (default: standard input)')
    .option('--last', 'explain the most recent denial, and the same call now')
    .option('--agent <id>', 'with --last: only denials of this agent and its subagents')
    .option('--json', 'print JSON');
  act<Options>(command, shell, ({ args, options }) => {
    const [file] = args;
    if (options.last !== true && options.agent === undefined) return explainEvent(file, options, shell);
    if (options.last === true && file === undefined) return explainNewest(options, shell);
    throw new GuardError(
      'GUARD_ERR_USAGE',
      'An event cannot be combined with --last, and --agent requires --last.',
      'Name a file that contains an event, or use --last.',
    );
  });
}

/** Exit code 1 if the same call would be refused now, too. */
function explainNewest(options: Options, shell: Shell): ExitCode {
  const repo = guardedRepo(shell);
  const { store } = openLedger({ repo, state_dir: repo.state_dir, env: shell.env });
  const explained = explainLast(repo, store, shell, options.agent);
  say(shell, options, explained, () => lastDenialLines(explained, namesHere(store), shell));
  return explained.now !== null && explained.now.answer.exit !== 0 ? EXIT.no : EXIT.yes;
}

function explainEvent(file: string | undefined, options: Options, shell: Shell): ExitCode {
  if (file === undefined && shell.isInteractive)
    shell.err('Waiting for one hook event, as JSON, on standard input (Ctrl-D ends it).\n');
  const input = parseInput(readEvent(file, shell), shell.cwd);
  if (input === null) {
    const hint = 'An event is what a hook gets on standard input, for example a line of a recorded session.';
    throw new GuardError('GUARD_ERR_INPUT', 'This is not a hook event.', hint, { file });
  }
  const explanation = explain(input, { env: shell.env, cwd: shell.cwd });
  say(shell, options, explanation, () => `${explanationLines(explanation, shell).join('\n')}\n`);
  return explanation.answer.exit === 0 ? EXIT.yes : EXIT.no;
}

function readEvent(file: string | undefined, shell: Shell): string {
  try {
    return fs.readFileSync(file === undefined ? 0 : resolve(shell.cwd, file), 'utf8');
  } catch (error) {
    const message = `${file ?? 'Standard input'} cannot be read.`;
    throw new GuardError('GUARD_ERR_IO', message, 'Name a file that you can read.', { file }, error);
  }
}
