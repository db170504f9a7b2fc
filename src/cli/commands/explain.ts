/** `guard explain [EVENT.json]`: what guard would answer to a hook event now, and which rule says what. */
import fs from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { explain, type Explanation } from '../../claude/explain.ts';
import { parseInput } from '../../claude/input.ts';
import { GuardError } from '../../core/error.ts';
import { act } from '../act.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { say, type Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';
import { plain } from '../../core/plain.ts';

interface Options {
  readonly json?: boolean;
}

export function define(command: Command, shell: Shell): void {
  command
    .argument('[event]', 'a file with one hook event (default: standard input)')
    .option('--json', 'print JSON');
  act<Options>(command, shell, ({ args, options }) => explainEvent(args[0], options, shell));
}

function explainEvent(file: string | undefined, options: Options, shell: Shell): ExitCode {
  const input = parseInput(readEvent(file, shell), shell.cwd);
  if (input === null) {
    const hint = 'Give what a hook gets on standard input, for example a line of a recorded session.';
    throw new GuardError('GUARD_ERR_INPUT', 'That is not a hook event.', hint, { file });
  }
  const explanation = explain(input, { env: shell.env, cwd: shell.cwd });
  say(shell, options, explanation, () => `${lines(explanation, shell).join('\n')}\n`);
  return explanation.answer.exit === 0 ? EXIT.yes : EXIT.no;
}

function readEvent(file: string | undefined, shell: Shell): string {
  try {
    return fs.readFileSync(file === undefined ? 0 : resolve(shell.cwd, file), 'utf8');
  } catch (error) {
    const message = `${file ?? 'Standard input'} cannot be read.`;
    throw new GuardError('GUARD_ERR_IO', message, 'Give a readable file.', { file }, error);
  }
}

function lines(explanation: Explanation, { color }: Shell): string[] {
  const { event, tool, agent, answer } = explanation;
  const title = color.bold(plain(`${event} ${tool}`.trim()));
  if (!explanation.concerns_guard) return [`${title}: guard does not look at this event.`];
  const place = explanation.guarded
    ? `locks ${explanation.enforcement ?? ''}`
    : 'not set up for guard: locks do not apply';
  const verdict = answer.exit === 0 ? color.green('guard has no objection') : color.red('guard refuses');
  return [
    `${title} by ${plain(agent ?? '')} in ${plain(explanation.repository ?? '')} (${place})`,
    ...explanation.targets.flatMap((target) => [
      `${plain(target.path)}: ${target.disk.state}, ${target.baseline === null ? 'never seen by this agent' : `${target.baseline.knows} of turn ${target.baseline.turn}`}`,
      ...columns(target.rules.map((rule) => [rule.rule, rule.error_type ?? 'ok', plain(rule.message ?? '')])),
    ]),
    verdict,
    ...(answer.stdout === '' ? [] : [plain(answer.stdout.trim())]),
  ];
}
