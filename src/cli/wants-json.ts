/** Whether a command line asks for JSON, right or wrong: an error has to come in the form that was asked for. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}
