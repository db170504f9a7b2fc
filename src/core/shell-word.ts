/** One word of a POSIX shell command line: bare where that is safe, single-quoted elsewhere. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
