/** Exit codes of every command except `guard hook` (design section 8). */
export const EXIT = {
  /** Yes: done, acquired, healthy. */
  yes: 0,
  /** No: denied, not acquired, a cycle, a check that failed. */
  no: 1,
  /** guard itself failed. */
  failed: 2,
  /** Done, but someone has to answer or to allow something. */
  needs: 3,
  /** The command line is wrong. */
  usage: 64,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
