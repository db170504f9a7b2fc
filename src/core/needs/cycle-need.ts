// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A deadlock, or what may become one. */
import { whom } from '../deadlock-words.ts';
import { plain } from '../plain.ts';
import type { Cycle } from '../rules/wait-graph.ts';
import type { Need, NeedsView } from './need.ts';

/** The agents in order, back to the first. */
export function cycleNeed(view: NeedsView, cycle: Cycle): Need {
  const { nameOf, fullNameOf } = view;
  const { kind, edges, victim, release = [], held_by, reservations = [], state } = cycle;
  const names = [...edges.map(({ from }) => from), edges[0]?.from ?? ''].map(nameOf);
  const files = release.map(plain).join(', ');
  const whose = held_by === undefined ? '' : `, which ${nameOf(held_by)} locked`;
  const end = release.length === 0 ? 'stop waiting' : `release ${files}${whose}`;
  const wider = reservations.length === 0 ? '' : ` (reserved: ${reservations.map(plain).join(', ')})`;
  const must = state === 'told' ? 'was told to' : 'must';
  const verdict = victim === undefined ? '' : `${nameOf(victim)} ${must} ${end}${wider}`;
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
    what: verdict,
    sentence: 'what',
    detail: [...waits, ...(verdict === '' ? [] : [verdict])],
    ...proposed(view, cycle),
  };
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
