/** The identity of the lock file in its file system. `birth_ms` is 0 if the file system does not store it. */
export interface Home {
  readonly ino: number;
  readonly birth_ms: number;
}
