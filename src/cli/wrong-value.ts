/** An option's value that is none. Both readers of command lines know it by `code`, as commander knows its own. */
export class WrongValue extends Error {
  readonly code = 'commander.invalidArgument';
  readonly exitCode = 1;
}
