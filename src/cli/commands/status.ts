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
  waitLines,
} from '../view/lines.ts';
import { noticedLines } from '../view/noticed.ts';
import { unjoinedLines } from '../view/unjoined.ts';

export function define(command: Declaring, shell: Shell): void {
  looks(command, shell, STATUS, {
    watches: (space) => space,
    show: (told, to) => to.out(`${inWords(told, to).join('\n')}\n`),
  });
}

const inWords = (told: Status, shell: Shell): string[] => [
  ...heading(told, shell),
  '',
  ...agentLines(told.agents, shell),
  ...commandLines(told.commands, shell),
  ...leaseLines(told.leases, shell),
  ...reservationLines(told.reservations, shell),
  ...waitLines(told.waits, shell),
  ...cycleLines(told.cycles, shell),
  ...unjoinedLines(told.unjoined, told.repository, shell),
  ...noticedLines(told.noticed, shell),
];

const UNHOOKED = 'No hooks of guard are installed here, so sessions are not guarded. Run: guard init';

const heading = (
  { repository, enforcement, fenced, off_until, hooked }: Status,
  { color }: Shell,
): string[] => [
  `${color.bold(repository)}  locks ${enforcement}${fenced ? '  commands fenced' : ''}`,
  ...(off_until === null ? [] : [color.yellow(`guard is off until ${off_until}: writes are not checked`)]),
  ...(hooked ? [] : [color.red(UNHOOKED)]),
];
