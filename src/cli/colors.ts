// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** For a terminal. Loading picocolors opens standard output, which costs 5 ms. */
import { createColors } from 'picocolors';
import type { Colors } from './shell.ts';

export const colored = (): Colors => createColors(true);
