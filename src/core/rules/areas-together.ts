// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A command line's area if leases count in other checkouts too: others' leases are under the main checkout's names. */
import type { View } from '../ledger.ts';
import { leaseIn } from '../lease-scope.ts';
import type { RepoPath } from '../types.ts';
import { checkoutAt, pathIn } from '../worktrees.ts';
import type { Area } from './command-event.ts';

export function inAllCheckouts(view: View, area: Area): Area {
  const { covers, places, glob, members } = area;
  const named = [...(places ?? []), ...members, ...(glob === null ? [] : [glob.scope])];
  const lease = (path: RepoPath): RepoPath => leaseIn(view, path);
  const linked = [...new Set(named.map(checkoutAt))].filter(
    (one) => one !== '' && lease(pathIn(one, '')) === '',
  );
  return {
    ...area,
    is_here: covers,
    covers: (path) =>
      covers(path) || (!path.startsWith('//') && linked.some((id) => covers(pathIn(id, path)))),
    ...(places === undefined ? {} : { places: [...new Set([...places, ...places.map(lease)])] }),
    glob: glob === null ? null : { ...glob, scope: lease(glob.scope) },
    members: [...new Set([...members, ...members.map(lease)])],
  };
}
