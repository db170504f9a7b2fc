/** The row of a deadlock, or of what may become one. */
import { whom } from '../../core/deadlock-words.ts';
import { plain } from '../../core/plain.ts';
import type { Cycle } from '../../core/rules/wait-graph.ts';
import { heldFilesOf } from './held-files.ts';
import type { BoardRow, BoardView, HeldFiles, Tone } from './rows.ts';

/** The agents in order, back to the first. */
export function cycleRow(view: BoardView, cycle: Cycle): BoardRow {
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
  const tone: Tone = kind === 'deadlock' ? 'red' : 'yellow';
  return {
    kind: 'deadlock',
    id: JSON.stringify(['cycle', kind, ...edges.map(({ from, to, path }) => [from, to, path])]),
    cells: [
      { text: kind === 'deadlock' ? 'deadlock' : 'deadlock?', tone },
      { text: '' },
      { text: names.join(' > ') },
      { text: verdict, is_sentence: true },
    ],
    detail: [...waits, ...(verdict === '' ? [] : [verdict])],
    ...proposed(view, cycle),
  };
}

/** What the verdict tells the victim to release, as far as it is locked: a reservation cannot be taken back. */
function proposed(
  view: BoardView,
  { victim, release = [], held_by = victim }: Cycle,
): { readonly held?: HeldFiles } {
  const wanted = new Set(release);
  const locked = view.told.leases.filter(({ holder, path }) => holder === held_by && wanted.has(path));
  if (held_by === undefined || locked.length === 0) return {};
  return {
    held: heldFilesOf(
      view,
      held_by,
      locked.map(({ path }) => path),
    ),
  };
}
