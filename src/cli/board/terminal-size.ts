/** The terminal that a person looks at, if there is one. */
import type { Environment } from '../../repo/user-dirs.ts';
import { isTerminal } from '../is-terminal.ts';

/** Infinity if nothing has to fit: a pipe, a file. */
export const terminalWidth = (): number => (isTerminal(1) ? process.stdout.columns || 80 : Infinity);

/** Undefined if nothing has to fit. */
export const terminalHeight = (): number | undefined => (isTerminal(1) ? process.stdout.rows : undefined);

/** Whether a person can type here and it can be repainted. */
export const isPaintable = (env: Environment): boolean =>
  isTerminal(0) && isTerminal(1) && env['TERM'] !== 'dumb';
