/** A command that does one operation: its options become the operation's input, its answer JSON or words, and an exit code. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { releaseLine } from '../core/deadlock-words.ts';
import { plain } from '../core/plain.ts';
import { projectOf } from '../operations/desk.ts';
import type { Desk } from '../operations/desk.ts';
import type { InputFields } from '../operations/field.ts';
import { withNotes } from '../operations/operation.ts';
import type { Operation, RunContext } from '../operations/operation.ts';
import { spelledAt } from '../repo/spelled.ts';
import { act } from './act.ts';
import type { CommandCall } from './act.ts';
import { mustName } from './agent-id.ts';
import { EXIT } from './exit.ts';
import type { ExitCode } from './exit.ts';
import { withLedger } from './ledger.ts';
import type { CliLedger } from './ledger.ts';
import type { Shell } from './shell.ts';
import { readTyped } from './typed.ts';
import type { AsTyped } from './typed.ts';
import { SERVER_SIGNALS, untilStopped } from './until-stopped.ts';

export interface DeskOptions {
  readonly agent?: string;
  readonly json?: boolean;
}

/** A hook adds its caller's name in front of whatever follows: a second name must not win over it. */
function oneAgent(given: string, before: string | undefined): string {
  if (before === undefined || before === given) return given;
  throw new InvalidArgumentError(`You are ${before}; one command acts for one agent.`);
}

const withDeskOptions = (command: Command): Command =>
  command
    .option('--agent <id>', 'for whom (default: who runs this)', oneAgent)
    .option('--json', 'print JSON');

export interface AsCommand<Options, R> extends AsTyped {
  /** Values as typed; what is not given is undefined. */
  readonly given: (call: CommandCall<Options>) => Readonly<Record<string, unknown>>;
  /** The first decides which repository is meant. */
  readonly paths?: (call: CommandCall<Options>) => readonly string[];
  /** Ctrl-C and termination end it instead of the process, so that the ledger learns of it. */
  readonly waits?: (options: Options, shell: Shell) => Pick<RunContext, 'onWaiting'> & { clear?: () => void };
  readonly json?: (answer: R) => object;
  readonly show: (answer: R, shell: Shell) => void;
  readonly isYes?: (answer: R) => boolean;
}

/** Makes `operation` the action of `command`. */
export function operates<Options extends DeskOptions, F extends InputFields, R extends object>(
  command: Command,
  shell: Shell,
  operation: Operation<F, R>,
  as: AsCommand<Options, R>,
): void {
  act<Options>(withDeskOptions(command), shell, async (call) => {
    const { options } = call;
    const { paths = () => [] } = as;
    // What is wrong with the command line is said before anything is opened.
    const { input, notes } = readTyped(operation, as.given(call), as);
    const screen = as.waits?.(options, shell);
    const work = (signal: AbortSignal): Promise<R> =>
      withLedger(
        shell,
        (ledger) =>
          operation.run(
            input,
            deskAt(ledger, options, shell),
            around(ledger, options, { shell, signal, screen }),
          ),
        paths(call),
      );
    const answer = screen === undefined ? await work(NEVER) : await untilStopped(work, SERVER_SIGNALS);
    screen?.clear?.();
    return tell({ answer, notes }, options, as, shell);
  });
}

const NEVER = new AbortController().signal;

const deskAt = (ledger: CliLedger, { agent }: DeskOptions, { env }: Pick<Shell, 'env'>): Desk => ({
  ledger,
  who: ledger.who(agent),
  project: projectOf(ledger, env),
});

interface Surroundings {
  readonly shell: Shell;
  readonly signal: AbortSignal;
  readonly screen: Pick<RunContext, 'onWaiting'> | undefined;
}

const around = (
  ledger: CliLedger,
  { agent }: DeskOptions,
  { shell, signal, screen }: Surroundings,
): RunContext => ({
  signal,
  release: (given) =>
    releaseLine(given, ledger.facts().guard_command, spelledAt(ledger.repo), mustName(agent, shell.env)),
  ...(screen?.onWaiting === undefined ? {} : { onWaiting: screen.onWaiting }),
});

function tell<Options extends DeskOptions, R extends object>(
  { answer, notes }: { readonly answer: R; readonly notes: readonly string[] },
  { json }: Options,
  as: AsCommand<Options, R>,
  shell: Shell,
): ExitCode {
  const shown = withNotes(as.json?.(answer) ?? answer, notes);
  if (json === true) shell.json(shown);
  else as.show(answer, shell);
  for (const note of (shown as { readonly notes?: readonly string[] }).notes ?? [])
    shell.err(`${plain(note)}\n`);
  return as.isYes?.(answer) === false ? EXIT.no : EXIT.yes;
}
