/** A command that runs one operation: options become its input, its answer becomes JSON or text, and an exit code. */
import { plain } from '../core/plain.ts';
import type { InputFields, InputOf } from '../operations/field.ts';
import { type Operation, type RunContext, withNotes } from '../operations/operation.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { act, type CommandCall } from './act.ts';
import type { Declaring } from './declaring.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { declareOptions, type OptionFields } from './option-fields.ts';
import type { Shell } from './shell.ts';
import { type AsTyped, readTyped } from './typed.ts';
import { followed, type Screen } from './screen.ts';
import { watchLoop } from './watch-loop.ts';
import { WrongValue } from './wrong-value.ts';

interface Options extends Readonly<Record<string, unknown>> {
  readonly agent?: string;
  readonly json?: boolean;
  readonly watch?: boolean;
}

/** Where a command works, and for which agent. */
interface Called {
  readonly agent: string | undefined;
  /** The first of them decides which repository is meant. */
  readonly paths: readonly string[];
}

/** For waits, and for agents that are told to release locks. */
export type Around = Pick<RunContext, 'waiters' | 'release'>;

/** Where operations of one kind work. */
interface CommandPlace<At> {
  /** Whether `--agent` names the agent that it acts for. */
  readonly acts: boolean;
  readonly open: <T>(
    shell: Shell,
    called: Called,
    work: (at: At, around: Around) => Promise<T>,
  ) => Promise<T>;
}

export interface AsCommand<R, At, I> extends AsTyped {
  /** Fields that are neither operands nor options with one value, as typed; `undefined` if not given. */
  readonly given?: (
    call: CommandCall<Readonly<Record<string, unknown>>>,
  ) => Readonly<Record<string, unknown>>;
  readonly options?: OptionFields;
  readonly takes_paths?: true;
  readonly waits?: (shell: Shell, at: At, input: I) => Screen;
  /** With --watch, the operation runs again whenever something happens in this store. */
  readonly watches?: (at: At) => Pick<Workspace, 'store'>;
  /** The screen for watching on a terminal; `null` if there is no terminal. Absent: the answer is printed again. */
  readonly screen?: (look: () => R | Promise<R>, at: At, shell: Shell) => Promise<ExitCode> | null;
  readonly json?: (answer: R) => object;
  readonly show: (answer: R, shell: Shell, options: Readonly<Record<string, unknown>>, at: At) => void;
  /** Yes or no, or another exit code. */
  readonly isYes?: (answer: R) => boolean | ExitCode;
}

/** A hook inserts its caller's name before everything else, and a second name must not override it. */
function oneAgent(given: string, before: string | undefined): string {
  if (before === undefined || before === given) return given;
  throw new WrongValue(`You are ${before}; one command acts for one agent.`);
}

/** Help shows an operand as required, but the operation reports that it is missing, as in every other interface. */
function leaveToOperation(command: Declaring): void {
  command.usage(command.usage());
  for (const operand of command.registeredArguments) operand.required = false;
}

/** Makes `operation` the action of `command`. */
export const operatesAt =
  <At>({ acts, open }: CommandPlace<At>) =>
  <F extends InputFields, R extends object>(
    command: Declaring,
    shell: Shell,
    operation: Operation<F, R, At>,
    as: AsCommand<R, At, InputOf<F>>,
  ): void => {
    const declared = declareOptions(
      command,
      as.options ?? {},
      (field) => operation.fields[field] !== undefined && operation.fields[field].otherwise === undefined,
    );
    leaveToOperation(command);
    const typed = { units_ms: declared.units_ms, flags: { ...declared.flags, ...as.flags } };
    if (acts) command.option('--agent <id>', 'the agent to act for (default: the caller)', oneAgent);
    command.option('--json', 'print JSON');
    if (as.watches !== undefined) command.option('--watch', 'refresh on every change until Ctrl-C');
    act<Options>(command, shell, (call) => {
      const { args, options } = call;
      // Report faults of the command line before anything is opened.
      const given = { ...declared.given(options), ...as.given?.(call) };
      const { input, notes } = readTyped(operation, given, typed);
      const called = { agent: options.agent, paths: as.takes_paths === true ? args : [] };
      return open(shell, called, async (at, around) => {
        const run = (signal?: AbortSignal, screen: Screen = {}) =>
          operation.run(input, at, {
            ...around,
            ...screen,
            // Node loads what makes one when it is first used: 0.5 ms, and few operations wait.
            get signal() {
              return signal ?? new AbortController().signal;
            },
          });
        const told = (answer: R, to: Shell): ExitCode => tell({ answer, notes, at }, options, as, to);
        if (as.watches !== undefined && options.watch === true)
          return (
            (options.json === true ? null : as.screen?.(() => run(), at, shell)) ??
            watchLoop(as.watches(at), shell, async (to, signal) => told(await run(signal), to))
          );
        const screen = as.waits?.(shell, at, input);
        return told(screen === undefined ? await run() : await followed(screen, run), shell);
      });
    });
  };

interface Told<R, At> {
  readonly answer: R;
  readonly notes: readonly string[];
  readonly at: At;
}

function tell<R extends object, At>(
  { answer, notes, at }: Told<R, At>,
  options: Options,
  { json, show, isYes }: Pick<AsCommand<R, At, never>, 'json' | 'show' | 'isYes'>,
  shell: Shell,
): ExitCode {
  const shown = withNotes(json?.(answer) ?? answer, notes);
  if (options.json === true) shell.json(shown);
  else show(answer, shell, options, at);
  for (const note of (shown as { readonly notes?: readonly string[] }).notes ?? [])
    shell.err(`${plain(note)}\n`);
  const yes = isYes?.(answer) ?? true;
  return typeof yes === 'number' ? yes : yes ? EXIT.yes : EXIT.no;
}
