/** Whether a command line, valid or not, asks for JSON: an error has to come in the requested form. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}
