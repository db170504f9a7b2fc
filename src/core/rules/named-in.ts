// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Leases that count in all checkouts have the main one's names; this names them as in an agent's own checkout. */
import type { RepoPath } from '../types.ts';
import { pathIn } from '../worktrees.ts';
import type { Deadlock } from './deadlock.ts';

export function namedIn(checkout: string, dead: Deadlock): Deadlock {
  const here = (path: RepoPath): RepoPath => (path === '' ? path : pathIn(checkout, path));
  const cycle = dead.cycle.map((edge) => ({ ...edge, path: here(edge.path) }));
  const leases = dead.leases === undefined ? {} : { leases: dead.leases.map(here) };
  return { ...dead, cycle, release: dead.release.map(here), ...leases };
}
