// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The writers of package managers other than Node's, loaded if a line names one of them (names.ts). */
import type { Writer } from '../call.ts';
import { PACKAGES } from './managers.ts';

export const packages = (name: string): Writer | undefined => PACKAGES[name];
