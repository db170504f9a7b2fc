/** `guard reservations`: who has reserved what. */
import type { Command } from 'commander';
import { plain } from '../../core/plain.ts';
import { listReservations } from '../../coordination/reservations.ts';
import { act } from '../act.ts';
import { atDesk, withDeskOptions } from '../desk.ts';
import type { DeskOptions } from '../desk.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';

interface Options extends DeskOptions {
  readonly mine?: boolean;
  readonly project?: string;
}

export function define(command: Command, shell: Shell): void {
  withDeskOptions(command)
    .option('--mine', 'only yours')
    .option('--project <name>', 'only of this project; another repository has none here');
  act<Options>(command, shell, ({ options }) =>
    atDesk(options, shell, (desk) => {
      const agent = options.mine === true ? desk.who.id : undefined;
      const reservations = listReservations(desk, { agent, project: options.project });
      if (options.json === true) shell.json({ reservations });
      else {
        const rows = reservations.map((one) => [
          one.id,
          plain(one.path_pattern),
          plain(one.agent_id),
          one.exclusive ? '' : 'shared',
          `until ${one.expires_at}`,
          plain(one.reason),
        ]);
        shell.out(rows.length === 0 ? 'Nothing is reserved.\n' : `${columns(rows).join('\n')}\n`);
      }
      return EXIT.yes;
    }),
  );
}
