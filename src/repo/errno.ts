/** The errno name of a failed system call, `'unknown'` for anything else. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}

/** The errnos that mean "there is nothing at this path". */
export function isAbsent(errno: string): boolean {
  return errno === 'ENOENT' || errno === 'ENOTDIR';
}
