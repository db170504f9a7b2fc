/** A way to call flock(2). */
interface LockTarget {
  readonly fd: number;
  readonly path: string;
}

export interface Flock {
  readonly name: string;
  /**
   * Undefined while somebody else holds the lock; null where `path` is another file than `fd` by now; else a function that frees what
   * the provider itself opened.
   * The lock ends when `target.fd` and that are closed.
   */
  take(target: LockTarget): (() => void) | undefined | null;
}
