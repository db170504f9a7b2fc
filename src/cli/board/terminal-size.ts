/** The terminal that a person looks at, if there is one. */
import { isatty } from 'node:tty';
import type { Environment } from '../../repo/user-dirs.ts';

/** Infinity if nothing has to fit: a pipe, a file. */
export const terminalWidth = (): number => (isatty(1) ? process.stdout.columns || 80 : Infinity);

/** Undefined if nothing has to fit. */
export const terminalHeight = (): number | undefined => (isatty(1) ? process.stdout.rows : undefined);

/** Whether a person can type here and it can be repainted. */
export const isPaintable = (env: Environment): boolean => isatty(0) && isatty(1) && env['TERM'] !== 'dumb';
