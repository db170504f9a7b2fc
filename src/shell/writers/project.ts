// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Package managers and task runners, loaded where a line names one of them (names.ts). */
import type { Writer } from '../call.ts';
import { PACKAGES } from './packages.ts';
import { TASKS } from './tasks.ts';

export const packages = (name: string): Writer | undefined => PACKAGES[name];
export const tasks = (name: string): Writer | undefined => TASKS[name];
