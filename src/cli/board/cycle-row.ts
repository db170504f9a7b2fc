/** The row of a deadlock, or of what may become one. */
import { whom } from '../../core/deadlock-words.ts';
import { plain } from '../../core/plain.ts';
import type { Cycle } from '../../core/rules/wait-graph.ts';
import type { BoardRow, BoardView, Tone } from './rows.ts';

/** The agents in order, back to the first. */
export function cycleRow({ nameOf }: BoardView, cycle: Cycle): BoardRow {
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
      `${nameOf(from)} waits for ${path === '' ? plain(whom(from, to)) : `${plain(path)}, held by ${nameOf(to)}`}`,
  );
  const tone: Tone = kind === 'deadlock' ? 'red' : 'yellow';
  return {
    kind: 'deadlock',
    id: `cycle ${edges.map(({ from, path }) => `${from} ${path}`).join(' ')}`,
    cells: [
      { text: kind === 'deadlock' ? 'deadlock' : 'deadlock?', tone },
      { text: '' },
      { text: names.join(' > ') },
      { text: verdict },
    ],
    detail: [...waits, ...(verdict === '' ? [] : [verdict])],
  };
}
