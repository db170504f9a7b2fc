// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A deadlock, or what may become one. */
import { whom } from '../deadlock-words.ts';
import { plain } from '../plain.ts';
import { verdictOn } from '../verdict-words.ts';
import type { Cycle } from '../rules/wait-graph.ts';
import type { Need, NeedsView } from './need.ts';

/** The agents in order, back to the first. */
export function cycleNeed(view: NeedsView, cycle: Cycle): Need {
  const { nameOf, fullNameOf } = view;
  const { kind, edges } = cycle;
  const names = [...edges.map(({ from }) => from), edges[0]?.from ?? ''].map(nameOf);
  const verdict = verdictOn(cycle, nameOf);
  const waits = edges.map(
    ({ from, to, path }) =>
      `${fullNameOf(from)} waits for ${path === '' ? plain(whom(from, to)) : `${plain(path)}, held by ${fullNameOf(to)}`}`,
  );
  return {
    kind: 'deadlock',
    id: JSON.stringify(['cycle', kind, ...edges.map(({ from, to, path }) => [from, to, path])]),
    label: kind === 'deadlock' ? 'deadlock' : 'deadlock?',
    tone: kind === 'deadlock' ? 'red' : 'yellow',
    age_ms: null,
    who: names.join(' > '),
    what: verdict ?? '',
    sentence: 'what',
    detail: [...waits, ...(verdict === null ? [] : [verdict])],
    ...proposed(view, cycle),
    ...newestIn(view, cycle),
  };
}

/** The newest record about it that is known: the beginning of the last wait. */
function newestIn({ told }: NeedsView, { edges }: Cycle): Pick<Need, 'lsn'> {
  const begun = edges.flatMap(({ from, path }) =>
    told.waits.flatMap((wait) => (wait.from === from && wait.path === path ? (wait.lsn ?? []) : [])),
  );
  return begun.length === 0 ? {} : { lsn: Math.max(...begun) };
}

/** What the verdict tells the victim to release, as far as it is locked: a reservation cannot be taken back. */
function proposed(
  { told }: NeedsView,
  { victim, release = [], held_by = victim }: Cycle,
): Pick<Need, 'frees'> {
  const wanted = new Set(release);
  const locked = told.leases.filter(({ holder, path }) => holder === held_by && wanted.has(path));
  if (held_by === undefined || locked.length === 0) return {};
  return { frees: { by: held_by, paths: locked.map(({ path }) => path) } };
}
