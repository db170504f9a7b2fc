// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The providers that are looked for when there is no native file for this machine. */
import { exlock } from './exlock.ts';
import type { Flock } from './flock.ts';
import { flockProgram } from './flock-program.ts';

const LOADERS: ReadonlyMap<string, () => Flock | undefined> = new Map([
  ['exlock', exlock],
  ['flock', flockProgram],
]);

/** Undefined for a name that nobody has, and where the provider does not work on this machine. */
export function otherFlock(name: string): Flock | undefined {
  return LOADERS.get(name)?.();
}
