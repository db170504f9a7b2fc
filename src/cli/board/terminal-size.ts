/** The terminal that somebody looks at, if it is one. */
import { isatty } from 'node:tty';
import type { Environment } from '../../repo/user-dirs.ts';

/** Infinity where nothing has to fit: a pipe, a file. */
export const terminalWidth = (): number => (isatty(1) ? process.stdout.columns || 80 : Infinity);

/** It is typed at, and can be painted. */
export const isPaintable = (env: Environment): boolean => isatty(0) && isatty(1) && env['TERM'] !== 'dumb';
