/** An invalid option value. Both readers of command lines recognise it by `code`, as commander does its own. */
export class WrongValue extends Error {
  readonly code = 'commander.invalidArgument';
  readonly exitCode = 1;
}
