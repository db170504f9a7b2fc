// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The writers of archives and transfers, loaded if a line names one of them (names.ts). */
import type { Writer } from '../call.ts';
import { ARCHIVES } from './archives.ts';
import { COMPRESSORS } from './compress.ts';
import { TRANSFERS } from './transfers.ts';

export const archives = (name: string): Writer | undefined => ARCHIVES[name];
export const compressors = (name: string): Writer | undefined => COMPRESSORS[name];
export const transfers = (name: string): Writer | undefined => TRANSFERS[name];
