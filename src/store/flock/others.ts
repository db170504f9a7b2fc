// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The providers to try if there is no native file for this machine. */
import { exlock } from './exlock.ts';
import type { Flock } from './provider.ts';
import { flockProgram } from './flock-program.ts';
import { noFlock } from '../told-failure.ts';

/** In order of cost: the first is for macOS and the BSDs, the second for any other Linux. */
const LOADERS: ReadonlyMap<string, () => Flock | undefined> = new Map([
  ['exlock', exlock],
  ['flock', flockProgram],
]);

/** @param wanted a provider's name; undefined or empty: any that works on this machine, where the native one does not */
export function otherFlock(wanted: string | undefined): Flock {
  const names = wanted ? [wanted] : [...LOADERS.keys()];
  for (const name of names) {
    const flock = LOADERS.get(name)?.();
    if (flock !== undefined) return flock;
  }
  throw noFlock(wanted ? names : ['native', ...names]);
}
