/** `guard replay FILE|DIR…`: checks recorded sessions against the decisions recorded with them. */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { GuardError } from '../../core/error.ts';
import { isFields } from '../../claude/text/field.ts';
import type { Fields } from '../../claude/input.ts';
import { guardRoot } from '../../install/guard-root.ts';
import { FORMATS, type Format } from '../../replay/report/formats.ts';
import { exitCodeOf, recordingsIn, replayFiles } from '../../replay/replay.ts';
import { act } from '../act.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { progressBar } from '../view/progress-bar.ts';

interface Options {
  readonly ci?: boolean;
  readonly update?: boolean;
  readonly json?: boolean;
  readonly format?: Format;
  readonly preset?: string;
  readonly config?: string;
}

const EXITS: Readonly<Record<0 | 1 | 2, ExitCode>> = { 0: EXIT.yes, 1: EXIT.no, 2: EXIT.failed };

export function define(command: Command, shell: Shell): void {
  command
    .argument('<recordings...>', 'recorded sessions (*.jsonl), or directories of them')
    .addOption(
      new Option('--ci', 'fail on recordings without expectations; write nothing').conflicts('update'),
    )
    .option('--update', 'record the decisions as the expected ones')
    .addOption(new Option('--format <format>', 'report format').choices(Object.keys(FORMATS)))
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .option('--preset <name>', 'use this preset instead of the one in the recording')
    .option('--config <file>', 'use this guard.config.json for recordings without one');
  act<Options>(command, shell, ({ args, options }) => replay(args, options, shell));
}

async function replay(paths: readonly string[], options: Options, shell: Shell): Promise<ExitCode> {
  const files = recordingsIn(paths.map((path) => resolve(shell.cwd, path)));
  if (files.length === 0)
    throw new GuardError('GUARD_ERR_USAGE', 'No recordings were found.', 'Recordings are *.jsonl files.');
  const config = options.config === undefined ? undefined : configIn(resolve(shell.cwd, options.config));
  const bar = progressBar(shell, { json: formatOf(options, shell) === 'json' });
  const played = await replayFiles(files, {
    onPlayed: () => bar.step(1, files.length),
    root: guardRoot(),
    update: options.update ?? false,
    ci: options.ci ?? false,
    ...(options.preset === undefined ? {} : { init: ['--preset', options.preset] }),
    ...(config === undefined ? {} : { config }),
  }).finally(bar.close);
  // Relative names, by which GitHub finds the line of an annotation.
  const reports = played.map((report) => ({
    ...report,
    file: relative(shell.cwd, report.file) || report.file,
  }));
  shell.out(FORMATS[formatOf(options, shell)](reports));
  return EXITS[exitCodeOf(reports)];
}

/** On GitHub's runners, `--ci` writes annotations by default. */
function formatOf({ format, json, ci }: Options, { env }: Shell): Format {
  if (json) return 'json';
  return format ?? (ci && env['GITHUB_ACTIONS'] === 'true' ? 'github' : 'text');
}

function configIn(file: string): Fields {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw wrongConfig(file, 'cannot be read as JSON', error);
  }
  if (isFields(parsed)) return parsed;
  throw wrongConfig(file, 'is not a JSON object');
}

const wrongConfig = (file: string, why: string, cause?: unknown): GuardError =>
  new GuardError('GUARD_ERR_CONFIG', `${file} ${why}.`, 'Name a guard.config.json.', { file }, cause);
