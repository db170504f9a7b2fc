/** `guard status`: everybody in this repository, what they hold and whom they wait for. */
import { STATUS, type Status } from '../../operations/status.ts';
import type { Declaring } from '../declaring.ts';
import { looks } from '../operate-looking.ts';
import type { Shell } from '../shell.ts';
import {
  agentLines,
  commandLines,
  cycleLines,
  leaseLines,
  reservationLines,
  ROWS_USUAL,
  waitLines,
} from '../view/lines.ts';
import { plain } from '../../core/plain.ts';
import { noticedLines } from '../view/noticed.ts';
import { unjoinedLines } from '../view/unjoined.ts';

export function define(command: Declaring, shell: Shell): void {
  command.option('--all', `every row; else of each list the first ${ROWS_USUAL}`);
  looks(command, shell, STATUS, {
    watches: (space) => space,
    show: (told, to, { all }) =>
      to.out(`${inWords(told, to, all === true ? Infinity : ROWS_USUAL).join('\n')}\n`),
  });
}

const inWords = (told: Status, shell: Shell, most: number): string[] => [
  ...heading(told, shell),
  '',
  ...agentLines(told.agents, shell, most),
  ...commandLines(told.commands, shell, most),
  ...leaseLines(told.leases, shell, most),
  ...reservationLines(told.reservations, shell, most),
  ...waitLines(told.waits, shell, most),
  ...cycleLines(told.cycles, shell),
  ...unjoinedLines(told.unjoined, told.repository, shell),
  ...noticedLines(told.noticed, shell),
];

const checkoutName = (id: string): string => (id === '' ? 'the main checkout' : `worktree ${plain(id)}`);

const UNHOOKED = 'No hooks of guard are installed here, so sessions are not guarded. Run: guard init';

const heading = (
  { repository, enforcement, fenced, off_until, hooked, late, standing }: Status,
  { color }: Shell,
): string[] => [
  `${color.bold(repository)}  locks ${enforcement}${fenced ? '  commands fenced' : ''}`,
  ...(off_until === null ? [] : [color.yellow(`guard is off until ${off_until}: writes are not checked`)]),
  ...(hooked ? [] : [color.red(UNHOOKED)]),
  ...standing.map(({ checkout, operation }) =>
    color.yellow(`A ${operation} stands half done in ${checkoutName(checkout)}`),
  ),
  ...(late === 0 ? [] : [color.yellow(`Not yet written into the ledger, which was busy: ${late}`)]),
];
