// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** For a terminal. Loading picocolors opens standard output, which costs 5 ms. */
import { createColors } from 'picocolors';

export type Colors = Readonly<Record<'bold' | 'dim' | 'green' | 'red' | 'yellow', (text: string) => string>>;

export const colored = (): Colors => createColors(true);
