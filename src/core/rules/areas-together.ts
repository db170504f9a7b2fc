// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What a command line goes through, where leases count in all checkouts: what others hold of it is under the main one's names. */
import { inMain } from '../lease-scope.ts';
import { checkoutAt, pathIn } from '../worktrees.ts';
import type { Area } from './command-event.ts';

export function inAllCheckouts(area: Area): Area {
  const { covers, places, glob, members } = area;
  const named = [...(places ?? []), ...members, ...(glob === null ? [] : [glob.scope])];
  const linked = [...new Set(named.map(checkoutAt))].filter((one) => one !== '');
  return {
    ...area,
    is_here: covers,
    covers: (path) =>
      covers(path) || (!path.startsWith('//') && linked.some((id) => covers(pathIn(id, path)))),
    ...(places === undefined ? {} : { places: [...new Set([...places, ...places.map(inMain)])] }),
    glob: glob === null ? null : { ...glob, scope: inMain(glob.scope) },
    members: [...new Set([...members, ...members.map(inMain)])],
  };
}
