/** `guard simulate [PATH…]`: what guard would have refused in sessions that ran without it, and what was really lost. */
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { projectsDir } from '../../install/scopes.ts';
import type { Preset } from '../../config/schema.ts';
import { GuardError } from '../../core/error.ts';
import { wallMs } from '../../repo/clock.ts';
import { homeOf } from '../../repo/user-dirs.ts';
import { reportOf } from '../../simulate/make-report.ts';
import type { SimulationReport } from '../../simulate/report.ts';
import { simulate } from '../../simulate/simulate.ts';
import { transcriptsIn } from '../../simulate/transcript/find.ts';
import type { BegunTranscript } from '../../simulate/transcript/merge.ts';
import type { Unreadable } from '../../simulate/transcript/reader.ts';
import { type CheckoutThen, placesAmong } from '../../simulate/world/places.ts';
import { act } from '../act.ts';
import { repoHere } from '../command-place.ts';
import { duration_ms } from '../duration.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { say, type Shell } from '../shell.ts';
import { checkoutsKnown } from '../simulate/checkouts-known.ts';
import { hookTime_ms } from '../simulate/hook-time.ts';
import { type JudgedBy, judgedBy } from '../simulate/judged-by.ts';
import { simulationPage } from '../simulate/page.ts';
import { withProgress } from '../view/progress-bar.ts';
import { simulationText } from '../simulate/text.ts';
import { writePage } from '../simulate/write-page.ts';
import { WrongValue } from '../wrong-value.ts';

interface Options {
  readonly preset?: Preset;
  readonly since?: number;
  readonly top: number;
  readonly json?: true;
  readonly html?: string;
  readonly show?: true;
  readonly cost?: true;
  readonly ci?: true;
}

const DAY_MS = 86_400_000;

export function define(command: Command, shell: Shell): void {
  command
    .argument(
      '[paths...]',
      "transcripts, folders or patterns (default: Claude Code's transcripts of this repository)",
    )
    .addOption(
      new Option('--preset <preset>', 'use the rules of this preset').choices(['standard', 'strict', 'auto']),
    )
    .option('--since <age>', 'only the last 30d, 12h, …', ageOf)
    .option('--top <n>', 'rows per list', countOf, 10)
    .option('--html <file>', 'also write a self-contained page')
    .option('--show', 'include lost lines and the messages about denied command lines')
    .option('--cost', 'measure a hook process on this machine')
    .option('--ci', 'exit code 1 if guard would have denied anything')
    .option('--json', 'print JSON');
  act<Options>(command, shell, ({ args, options }) => simulateHere(args, options, shell));
}

function ageOf(text: string): number {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  return days === undefined ? duration_ms(text) : Number(days) * DAY_MS;
}

function countOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new WrongValue('Use a number of rows.');
  return Number(text);
}

function simulateHere(paths: readonly string[], options: Options, shell: Shell): ExitCode {
  const { cwd, env } = shell;
  const repo = repoHere(shell);
  const checkouts = checkoutsKnown(repo);
  const since_ms = options.since === undefined ? 0 : wallMs() - options.since;
  const given = paths.map((path) => resolve(cwd, path));
  const roots = checkouts.map(({ root }) => root);
  const unreadable: Unreadable = { lines: 0, cut: 0, files: 0 };
  const transcripts = transcriptsIn({ paths: given, roots, env, since_ms, unreadable });
  if (transcripts.length === 0) throw nothingThere(given, shell);
  const report = run(
    { transcripts, checkouts, since_ms, unreadable },
    { ...judgedBy(repo, options.preset, shell), options, shell },
  );
  if (options.html !== undefined) writePage(resolve(cwd, options.html), simulationPage(report));
  say(shell, options, report, () => simulationText(report, shell.color));
  return options.ci === true && report.denied.calls > 0 ? EXIT.no : EXIT.yes;
}

interface Found {
  readonly transcripts: readonly BegunTranscript[];
  readonly checkouts: readonly CheckoutThen[];
  readonly since_ms: number;
  readonly unreadable: Unreadable;
}

interface Asked extends JudgedBy {
  readonly options: Options;
  readonly shell: Shell;
}

function run(
  { transcripts, checkouts, since_ms, unreadable }: Found,
  { policy, shown, options, shell }: Asked,
): SimulationReport {
  const { env } = shell;
  const bytes = transcripts.reduce((sum, one) => sum + one.bytes, 0);
  const start = { policy, places: placesAmong(checkouts), home: homeOf(env) };
  const simulated = withProgress(shell, options, (step) =>
    simulate({ ...start, transcripts, since_ms, unreadable, onRead: (read) => step(read, bytes) }),
  );
  const ms_each = options.cost === true ? hookTime_ms(shell) : undefined;
  const told = { lines: unreadable.lines, cut_off: unreadable.cut, files: unreadable.files };
  const around = { transcripts: transcripts.length, bytes, unreadable: told, policy: shown, ms_each };
  return reportOf(simulated, around, { top: options.top, show: options.show === true });
}

const nothingThere = (given: readonly string[], { env }: Shell): GuardError =>
  new GuardError(
    'GUARD_ERR_USAGE',
    given.length === 0
      ? `${projectsDir(env)} has no transcript of this repository.`
      : 'No transcripts were found.',
    'Name transcripts (*.jsonl), folders of them, or patterns in quotes.',
    { paths: given.join(' ') },
  );
