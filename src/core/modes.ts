import type { Mode } from './types.ts';

/** Whether two agents cannot have one path in these modes together. */
export const clashes = (a: Mode, b: Mode): boolean => a === 'exclusive' || b === 'exclusive';
