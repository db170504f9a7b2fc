/**
 * What people see of a repository: first what needs their attention, then who is here and what they hold. Pure: a status
 * and a time in, rows out; nothing here knows about terminals.
 */
import { warningsOf } from '../../core/needs/warnings.ts';
import { withoutRepeats } from '../../core/without-repeats.ts';
import { withId } from '../../core/names.ts';
import { plain } from '../../core/plain.ts';
import { age } from '../../core/time.ts';
import type { Status } from '../../operations/status.ts';
import { counted } from '../view/counted.ts';
import { rowsOfAgents } from './agent-rows.ts';
import { commandRows, lockRows, reservationRows } from './held-rows.ts';
import { needRows } from './need-rows.ts';
import { withoutPassersBy } from './passers-by.ts';
import type { Board, BoardCell, BoardSection, BoardView } from './rows.ts';
import { waitRows } from './wait-rows.ts';

export function boardViewOf(seen: Status, now_ms: number, is_folded = false): BoardView {
  const names = new Map(seen.agents.map(({ agent, name }) => [agent, name]));
  const nameOf = (id: string): string => plain(names.get(id) ?? id);
  return {
    ...{ told: withoutPassersBy(seen), now_ms, is_folded, nameOf },
    fullNameOf: (id) => withId(nameOf(id), id),
    ago: (time) => age(now_ms - Date.parse(time)),
  };
}

export function boardOf(told: Status, now_ms: number, is_folded: boolean): Board {
  const view = boardViewOf(told, now_ms, is_folded);
  const sections = [
    { title: 'Needs attention', tone: 'red' as const, rows: needRows(view) },
    { title: 'Waiting', tone: 'bold' as const, rows: waitRows(view) },
    { title: 'Agents', tone: 'bold' as const, rows: rowsOfAgents(view) },
    { title: 'Commands that write', tone: 'bold' as const, rows: commandRows(view) },
    { title: LOCKS, tone: 'bold' as const, rows: lockRows(view) },
    { title: RESERVATIONS, tone: 'bold' as const, rows: reservationRows(view) },
  ];
  return {
    head: headOf(view),
    sums: sumsOf(view),
    sections: sections.map(distinctRows).filter(({ rows }) => rows.length > 0),
  };
}

/** Locks and reservations, of which there may be ten thousand, are distinct: an id is made for those that are shown. */
const distinctRows = ({ rows, ...section }: BoardSection): BoardSection => ({
  ...section,
  rows: DISTINCT.includes(section.title) ? rows : withoutRepeats(rows),
});

const [LOCKS, RESERVATIONS] = ['Locks', 'Reservations'];
const DISTINCT = [LOCKS, RESERVATIONS];

function sumsOf({ told }: BoardView): string {
  const waiting = new Set(told.waits.filter(({ kind }) => kind === 'wait').map(({ from }) => from)).size;
  return [
    told.agents.length === 0 ? 'No active agents.' : counted(told.agents.length, 'agent'),
    counted(told.leases.length, 'lock'),
    counted(waiting, 'waiting', 'waiting'),
    ...(told.denials.length === 0 ? [] : [`${told.denials.length} recently denied`]),
  ].join('  ');
}

function headOf({ told, now_ms }: BoardView): BoardCell[] {
  const { repository, enforcement, fenced } = told;
  return [
    {
      text: `${plain(repository)}  locks ${enforcement}${fenced ? '  commands fenced' : ''}`,
      tone: 'bold',
    },
    ...warningsOf(told, now_ms),
  ];
}
