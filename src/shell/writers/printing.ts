// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Programs that print, or write to a file given by an option, loaded if a line names one of them (names.ts). */
import type { Writer } from '../call.ts';
import { OUTPUTS } from './outputs.ts';

export const outputs = (name: string): Writer | undefined => OUTPUTS[name];
