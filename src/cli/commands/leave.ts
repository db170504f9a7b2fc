/** `guard leave`: give everything back and be listed no longer. */
import type { Command } from 'commander';
import { leave } from '../../coordination/membership.ts';
import { plain } from '../../core/plain.ts';
import { act } from '../act.ts';
import { atDesk, withDeskOptions } from '../desk.ts';
import type { DeskOptions } from '../desk.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';

export function define(command: Command, shell: Shell): void {
  withDeskOptions(command);
  act<DeskOptions>(command, shell, ({ options }) =>
    atDesk(options, shell, (desk) => {
      const told = leave(desk);
      const given = [...told.released_files, ...told.released_reservations].map(plain);
      if (options.json === true) shell.json(told);
      else if (!told.was_here) shell.out(`${plain(told.agent_id)} was not here\n`);
      else
        shell.out(
          `${plain(told.agent_id)} left${given.length > 0 ? `; released ${given.join(', ')}` : ''}\n`,
        );
      return EXIT.yes;
    }),
  );
}
