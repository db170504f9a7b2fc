/**
 * What people see of a repository: first what needs their attention, then who is here and what they hold. Pure: a status
 * and a time in, rows out; nothing here knows about terminals.
 */
import { checkoutWords } from '../../core/checkout-words.ts';
import { plain } from '../../core/plain.ts';
import { age } from '../../core/time.ts';
import type { Status } from '../../operations/status.ts';
import { counted } from '../view/counted.ts';
import { agentSection } from './agent-rows.ts';
import { heldSections } from './held-rows.ts';
import { needRows } from './need-rows.ts';
import type { Board, BoardCell, BoardView } from './rows.ts';

export function boardViewOf(told: Status, now_ms: number, is_folded = false): BoardView {
  const names = new Map(told.agents.map(({ agent, name }) => [agent, name]));
  return {
    ...{ told, now_ms, is_folded },
    nameOf: (id) => plain(names.get(id) ?? id),
    ago: (time) => age(now_ms - Date.parse(time)),
  };
}

export function boardOf(told: Status, now_ms: number, is_folded: boolean): Board {
  const view = boardViewOf(told, now_ms, is_folded);
  const needs = needRows(view);
  const sections = [
    { title: 'Needs attention', tone: 'red' as const, rows: needs },
    agentSection(view),
    ...heldSections(view),
  ];
  return { head: headOf(view), sums: sumsOf(view), sections: sections.filter(({ rows }) => rows.length > 0) };
}

function sumsOf({ told }: BoardView): string {
  const waiting = new Set(told.waits.filter(({ kind }) => kind === 'wait').map(({ from }) => from)).size;
  return [
    told.agents.length === 0 ? 'No active agents.' : counted(told.agents.length, 'agent'),
    counted(told.leases.length, 'lock'),
    counted(waiting, 'waiting', 'waiting'),
    ...(told.denials.length === 0 ? [] : [`${told.denials.length} denied lately`]),
  ].join('  ');
}

const UNHOOKED = 'No hooks of guard are installed here, so sessions are not guarded. Run: guard init';

const startsWhere = (root: string): string =>
  `Claude Code works here without guard. Start it in ${plain(root)}, or run: guard init --scope user`;

function headOf({ told, now_ms }: BoardView): BoardCell[] {
  const { repository, enforcement, fenced, off_until, hooked, late, standing, unjoined } = told;
  const warn = (text: string): BoardCell => ({ text, tone: 'yellow' });
  const off = off_until === null ? '' : age(Date.parse(off_until) - now_ms);
  return [
    {
      text: `${plain(repository)}  locks ${enforcement}${fenced ? '  commands fenced' : ''}`,
      tone: 'bold',
    },
    ...(off_until === null ? [] : [warn(`guard is off for ${off}: writes are not checked`)]),
    ...(hooked ? [] : [{ text: UNHOOKED, tone: 'red' as const }]),
    ...standing.map(({ checkout, operation }) =>
      warn(`A ${operation} is half done in ${checkoutWords(checkout)}`),
    ),
    ...((unjoined ?? []).length === 0 ? [] : [warn(startsWhere(repository))]),
    ...(late === 0 ? [] : [warn(`Not yet written to the ledger, which was busy: ${late}`)]),
  ];
}
