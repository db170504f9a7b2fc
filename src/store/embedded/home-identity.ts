/** The lock file, as its file system knows it. `birth_ms` is 0 where that knows none. */
export interface Home {
  readonly ino: number;
  readonly birth_ms: number;
}
