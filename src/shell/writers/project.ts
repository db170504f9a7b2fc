/** Package managers and task runners. Most longer lines name one of them, so they are no file of their own. */
import type { Writer } from '../call.ts';
import { PACKAGES } from './packages.ts';
import { TASKS } from './tasks.ts';

export const packages = (name: string): Writer | undefined => PACKAGES[name];
export const tasks = (name: string): Writer | undefined => TASKS[name];
