// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The formatters, loaded if a line names one of them (names.ts). */
import type { Writer } from '../call.ts';
import { FORMATTERS } from './formatters.ts';

export const formatters = (name: string): Writer | undefined => FORMATTERS[name];
