/**
 * What a command's file says of its arguments and options. Two readers take it: commander, for help, completion and everything
 * that is not right about a command line, and quick/ for the plain calls that agents make all day.
 */
export interface Declaring {
  command(name: string): Declaring;
  description(text: string): Declaring;
  argument(name: string, about: string): Declaring;
  option(flags: string, about: string): Declaring;
  /** @param read throws what wrong-value.ts makes; gets what an earlier use of the same option came to */
  option<T>(flags: string, about: string, read: (value: string, before: T) => T): Declaring;
  /** How its operands are written in help. */
  usage(): string;
  usage(text: string): Declaring;
  readonly registeredArguments: readonly { required: boolean }[];
  action(body: () => Promise<void>): Declaring;
  /** The operands as typed. */
  readonly args: readonly string[];
  optsWithGlobals(): object;
}
