/**
 * How a command's file declares its arguments and options. It has two readers: commander, for help, completion and
 * everything that is wrong with a command line, and quick/, for the plain calls that agents make all day.
 */
export interface Declaring {
  command(name: string): Declaring;
  description(text: string): Declaring;
  argument(name: string, about: string): Declaring;
  option(flags: string, about: string): Declaring;
  /** @param read throws the error of wrong-value.ts; its second argument is the result of an earlier use of the option */
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
