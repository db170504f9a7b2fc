/** What is held and waited for: locks, reservations, command lines that write, and waiters. */
import { whom } from '../../core/deadlock-words.ts';
import { grouped } from '../../core/grouped.ts';
import { plain } from '../../core/plain.ts';
import { age } from '../../core/time.ts';
import type { BoardRow, BoardSection, BoardView } from './rows.ts';
import { foldPaths } from './fold.ts';

type Lease = BoardView['told']['leases'][number];

export const heldSections = (view: BoardView): readonly BoardSection[] =>
  [
    { title: 'Commands that write', rows: commandRows(view) },
    { title: 'Waiting', rows: waitRows(view) },
    { title: 'Locks', rows: lockRows(view) },
    { title: 'Reservations', rows: reservationRows(view) },
  ].map((section) => ({ ...section, tone: 'bold' as const }));

/** Locks with the same holder, mode, command and checkout are shown together. */
function lockRows(view: BoardView): BoardRow[] {
  const groups = grouped(view.told.leases, ({ holder, mode, command = '', checkout = '' }) =>
    [holder, mode, command, checkout].join('\n'),
  );
  return [...groups.values()].flatMap((leases) => rowsOf(view, leases));
}

function rowsOf({ nameOf, now_ms, is_folded }: BoardView, leases: readonly Lease[]): BoardRow[] {
  const by = new Map(leases.map((lease) => [lease.path, lease]));
  return foldPaths([...by.keys()], is_folded).map(({ words, paths, area }) => {
    const own = paths.flatMap((path) => by.get(path) ?? []);
    const [{ holder, mode, command, holder_state }] = own as [Lease];
    const oldest = Math.min(...own.map(({ since }) => Date.parse(since)));
    return {
      id: `lock ${holder} ${area}`,
      cells: [
        { text: words, keep: 'end' },
        { text: nameOf(holder) },
        { text: age(now_ms - oldest), tone: 'dim' },
        { text: mode === 'shared' ? 'shared' : command === undefined ? '' : 'until its command ends' },
        { text: holder_state, tone: 'dim' },
      ],
      detail: [
        `held by ${plain(holder)}: ${holder_state}`,
        ...own.map(
          (one) =>
            `  ${plain(one.path)}  ${one.mode === 'shared' ? 'shared  ' : ''}since ${one.since}  until ${one.expires_at}  token ${one.token}`,
        ),
      ],
      held: { by: holder, paths, area },
    };
  });
}

function waitRows({ told, nameOf, ago }: BoardView): BoardRow[] {
  return told.waits.map(({ from, to, path, kind, because, since }) => ({
    id: `wait ${from} ${to} ${path}`,
    cells: [
      { text: nameOf(from) },
      { text: kind === 'wait' ? 'waits' : because === 'agent' ? 'may wait' : 'was refused' },
      { text: since === null ? '' : ago(since), tone: 'dim' },
      { text: because === 'agent' ? plain(whom(from, to)) : plain(path), keep: 'end' },
      { text: because === 'agent' ? '' : `${because === 'ticket' ? 'behind' : 'held by'} ${nameOf(to)}` },
    ],
    detail: [
      `${plain(from)}: ${kind} for ${because === 'agent' ? plain(to) : `${plain(path)} of ${plain(to)}`}`,
    ],
    ...(because === 'hold' ? { held: { by: to, paths: [path], area: path } } : {}),
  }));
}

function reservationRows({ told, nameOf, now_ms }: BoardView): BoardRow[] {
  return told.reservations.map((one) => ({
    id: `reservation ${one.id}`,
    cells: [
      { text: plain(one.path_pattern), keep: 'end' },
      { text: nameOf(one.agent_id) },
      { text: one.exclusive ? '' : 'shared' },
      { text: `${age(Date.parse(one.expires_at) - now_ms)} left`, tone: 'dim' },
      { text: plain(one.reason) },
    ],
    detail: [
      `${plain(one.path_pattern)}  ${one.id}`,
      `reserved by ${plain(one.agent_id)} until ${one.expires_at}`,
      plain(one.reason),
    ],
  }));
}

function commandRows({ told, nameOf, ago, is_folded }: BoardView): BoardRow[] {
  return told.commands.map(({ agent, op, paths, since, in_background, elsewhere = [] }) => ({
    id: `command ${op}`,
    cells: [
      { text: nameOf(agent) },
      { text: ago(since), tone: 'dim' },
      { text: in_background ? 'in the background' : '' },
      {
        text: [
          ...foldPaths(paths, is_folded).map(({ words }) => words),
          ...elsewhere.map((root) => `files in ${plain(root)}`),
        ].join(', '),
      },
    ],
    detail: [
      `a command line of ${plain(agent)} for ${ago(since)}, which writes`,
      ...paths.map((path) => `  ${plain(path)}`),
    ],
  }));
}
