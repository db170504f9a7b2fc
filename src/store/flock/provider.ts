/** A way to call flock(2). */
interface LockTarget {
  readonly fd: number;
  readonly path: string;
}

export interface Flock {
  readonly name: string;
  /**
   * Returns undefined while another process holds the lock, null if `path` is no longer the file behind `fd`, otherwise
   * a function that frees what the provider opened. The lock ends when that has run and `target.fd` is closed.
   */
  take(target: LockTarget): (() => void) | undefined | null;
}
