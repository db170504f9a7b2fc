import type { Mode } from './types.ts';

/** Whether two agents cannot hold a path in these modes at the same time. */
export const clashes = (a: Mode, b: Mode): boolean => a === 'exclusive' || b === 'exclusive';
