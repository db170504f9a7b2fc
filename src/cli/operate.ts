/** A command that does one operation: its options become the operation's input, its answer JSON or words, and an exit code. */
import { plain } from '../core/plain.ts';
import type { InputFields } from '../operations/field.ts';
import { type Operation, type RunContext, withNotes } from '../operations/operation.ts';
import { openWaiters } from '../locks/waiters.ts';
import { act, type CommandCall } from './act.ts';
import { mustName } from './agent-id.ts';
import { callerOf } from './caller.ts';
import type { Declaring } from './declaring.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { withWorkspace } from './workspace.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Shell } from './shell.ts';
import { declareOptions, type OptionFields } from './option-fields.ts';
import { releaseAs } from './release-as.ts';
import { type AsTyped, readTyped } from './typed.ts';
import { SERVER_SIGNALS, untilStopped } from './until-stopped.ts';
import { WrongValue } from './wrong-value.ts';

interface CallerOptions {
  readonly agent?: string;
  readonly json?: boolean;
}

/** A hook adds its caller's name in front of whatever follows: a second name must not win over it. */
function oneAgent(given: string, before: string | undefined): string {
  if (before === undefined || before === given) return given;
  throw new WrongValue(`You are ${before}; one command acts for one agent.`);
}

const withCallerOptions = (command: Declaring): Declaring =>
  command
    .option('--agent <id>', 'for whom (default: who runs this)', oneAgent)
    .option('--json', 'print JSON');

export interface AsCommand<R> extends AsTyped {
  /** Fields that are neither operands nor options of one value, as typed; what is not given is undefined. */
  readonly given?: (
    call: CommandCall<Readonly<Record<string, unknown>>>,
  ) => Readonly<Record<string, unknown>>;
  readonly options?: OptionFields;
  /** The operands are paths: the first decides which repository is meant. */
  readonly takes_paths?: true;
  /** Ctrl-C and termination end it instead of the process, so that the ledger learns of it. */
  readonly waits?: (shell: Shell) => Pick<RunContext, 'onWaiting'> & { clear?: () => void };
  readonly json?: (answer: R) => object;
  readonly show: (answer: R, shell: Shell) => void;
  readonly isYes?: (answer: R) => boolean;
}

/** Makes `operation` the action of `command`. */
export function operates<F extends InputFields, R extends object>(
  command: Declaring,
  shell: Shell,
  operation: Operation<F, R>,
  as: AsCommand<R>,
): void {
  const declared = declareOptions(command, as.options ?? {});
  const typed = { units_ms: declared.units_ms, flags: { ...declared.flags, ...as.flags } };
  act<CallerOptions & Readonly<Record<string, unknown>>>(withCallerOptions(command), shell, async (call) => {
    const { args, options } = call;
    // What is wrong with the command line is said before anything is opened.
    const given = { ...declared.given(options), ...as.given?.(call) };
    const { input, notes } = readTyped(operation, given, typed);
    const screen = as.waits?.(shell);
    const work = (signal: AbortSignal): Promise<R> =>
      withWorkspace(
        shell,
        (space) =>
          operation.run(
            input,
            { ...space, who: callerOf(space, options.agent) },
            around(space, options, { signal, screen }),
          ),
        as.takes_paths === true ? args : [],
      );
    const answer = screen === undefined ? await work(NEVER) : await untilStopped(work, SERVER_SIGNALS);
    screen?.clear?.();
    return tell({ answer, notes }, options, as, shell);
  });
}

const NEVER = new AbortController().signal;

interface OfWait {
  readonly signal: AbortSignal;
  readonly screen: Pick<RunContext, 'onWaiting'> | undefined;
}

const around = (
  { repo, env }: Workspace,
  { agent }: CallerOptions,
  { signal, screen }: OfWait,
): RunContext => ({
  ...{ signal, waiters: openWaiters() },
  release: releaseAs(repo, mustName(agent, env)),
  ...(screen?.onWaiting === undefined ? {} : { onWaiting: screen.onWaiting }),
});

function tell<R extends object>(
  { answer, notes }: { readonly answer: R; readonly notes: readonly string[] },
  { json }: CallerOptions,
  as: AsCommand<R>,
  shell: Shell,
): ExitCode {
  const shown = withNotes(as.json?.(answer) ?? answer, notes);
  if (json === true) shell.json(shown);
  else as.show(answer, shell);
  for (const note of (shown as { readonly notes?: readonly string[] }).notes ?? [])
    shell.err(`${plain(note)}\n`);
  return as.isYes?.(answer) === false ? EXIT.no : EXIT.yes;
}
