/** `guard reservations`: who has reserved what. */
import { plain } from '../../core/plain.ts';
import { LIST_RESERVATIONS } from '../../operations/reservation-list.ts';
import type { Declaring } from '../declaring.ts';
import { operates } from '../operate.ts';
import type { Shell } from '../shell.ts';
import { table } from '../view/columns.ts';

export function define(command: Declaring, shell: Shell): void {
  operates(command, shell, LIST_RESERVATIONS, {
    options: {
      mine: ['--mine', 'list only yours'],
      project: ['--project <name>', 'list only those of this project; another repository has none here'],
    },
    show({ reservations }, { out }) {
      const rows = reservations.map((one) => [
        one.id,
        plain(one.path_pattern),
        plain(one.agent_id),
        one.exclusive ? '' : 'shared',
        `until ${one.expires_at}`,
        plain(one.reason),
      ]);
      out(table(rows, 'Nothing is reserved.'));
    },
  });
}
