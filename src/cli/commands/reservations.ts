/** `guard reservations`: who has reserved what. */
import { plain } from '../../core/plain.ts';
import { LIST_RESERVATIONS } from '../../operations/reservation-list.ts';
import type { CommandCall } from '../act.ts';
import type { Declaring } from '../declaring.ts';
import { type CallerOptions, operates } from '../operate.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';

interface Options extends CallerOptions {
  readonly mine?: boolean;
  readonly project?: string;
}

export function define(command: Declaring, shell: Shell): void {
  command
    .option('--mine', 'only yours')
    .option('--project <name>', 'only of this project; another repository has none here');
  operates(command, shell, LIST_RESERVATIONS, {
    given: ({ options: { mine, project } }: CommandCall<Options>) => ({ mine, project }),
    show({ reservations }, { out }) {
      const rows = reservations.map((one) => [
        one.id,
        plain(one.path_pattern),
        plain(one.agent_id),
        one.exclusive ? '' : 'shared',
        `until ${one.expires_at}`,
        plain(one.reason),
      ]);
      out(rows.length === 0 ? 'Nothing is reserved.\n' : `${columns(rows).join('\n')}\n`);
    },
  });
}
