import { createColors } from 'picocolors';
import type { Shell } from '../../src/cli/shell.ts';

/** A shell that discards all output. */
export const SILENT_SHELL: Shell = {
  cwd: '/',
  env: {},
  isInteractive: false,
  isWatched: false,
  color: createColors(false),
  out: () => undefined,
  err: () => undefined,
  json: () => undefined,
  exitCode: 0,
};
