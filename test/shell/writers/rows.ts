/** Commands that are run; `may` lists targets that this run leaves unchanged. */
export interface Row {
  readonly line: string;
  readonly needs?: string;
  readonly may?: readonly string[];
  /** Part of the line is unresolved. */
  readonly opens?: true;
}

export const lines = (needs: string | undefined, text: string): readonly Row[] =>
  text
    .split('\n')
    .filter((it) => it.trim() !== '')
    .map((line) => (needs === undefined ? { line: line.trim() } : { line: line.trim(), needs }));
