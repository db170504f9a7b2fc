import type { Declaring } from './declaring.ts';
import type { ExitCode } from './exit.ts';
import type { Shell } from './shell.ts';

export interface CommandCall<Options> {
  /** The operands as typed. */
  readonly args: readonly string[];
  readonly options: Options;
}

/** Makes `body` the action of `command`; it returns the exit code. Errors propagate to failure.ts. */
export function act<Options extends object>(
  command: Declaring,
  shell: Shell,
  body: (call: CommandCall<Options>) => ExitCode | Promise<ExitCode>,
): void {
  command.action(async () => {
    shell.exitCode = await body({ args: command.args, options: command.optsWithGlobals() as Options });
  });
}
