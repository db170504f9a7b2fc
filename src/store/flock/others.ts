// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The providers that are looked for when there is no native file for this machine. */
import { exlock } from './exlock.ts';
import type { Flock } from './provider.ts';
import { flockProgram } from './flock-program.ts';
import { noFlock } from '../told-failure.ts';

/** In order of cost: macOS and the BSDs have the first, any other Linux the second. */
const LOADERS: ReadonlyMap<string, () => Flock | undefined> = new Map([
  ['exlock', exlock],
  ['flock', flockProgram],
]);

/** @param wanted by name; undefined or empty: whatever works on this machine, and the native one does not */
export function otherFlock(wanted: string | undefined): Flock {
  const names = wanted ? [wanted] : [...LOADERS.keys()];
  for (const name of names) {
    const flock = LOADERS.get(name)?.();
    if (flock !== undefined) return flock;
  }
  throw noFlock(wanted ? names : ['native', ...names]);
}
