/** `guard reservations`: who has reserved what. */
import { plain } from '../../core/plain.ts';
import { LIST_RESERVATIONS } from '../../operations/reservation-list.ts';
import type { Declaring } from '../declaring.ts';
import { operates } from '../operate.ts';
import type { Shell } from '../shell.ts';
import { table } from '../view/columns.ts';
import { namesHere } from '../view/names-here.ts';
import { timeLeft } from '../view/time-left.ts';

export function define(command: Declaring, shell: Shell): void {
  operates(command, shell, LIST_RESERVATIONS, {
    options: {
      mine: ['--mine', 'list only yours'],
      project: ['--project <name>', 'list only those of this project; another repository has none here'],
    },
    show({ reservations }, { out }, _, { store }) {
      const nameOf = namesHere(store);
      const rows = reservations.map((one) => [
        one.id,
        plain(one.path_pattern),
        nameOf(one.agent_id),
        one.exclusive ? '' : 'shared',
        `${timeLeft(one.expires_at)} left`,
        plain(one.reason),
      ]);
      out(table(rows, 'Nothing is reserved.'));
    },
  });
}
