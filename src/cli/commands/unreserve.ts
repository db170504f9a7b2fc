/** `guard unreserve ID…`, `guard unreserve --all`: release_files and release_all as a command. */
import type { Command } from 'commander';
import { GuardError } from '../../core/error.ts';
import { plain } from '../../core/plain.ts';
import { releaseAll, releaseFiles } from '../../coordination/reservations.ts';
import { act } from '../act.ts';
import { atDesk, withDeskOptions } from '../desk.ts';
import type { DeskOptions } from '../desk.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';

interface Options extends DeskOptions {
  readonly all?: boolean;
}

export function define(command: Command, shell: Shell): void {
  withDeskOptions(command.argument('[ids...]', 'as "guard reservations" shows them')).option(
    '--all',
    'every one you have',
  );
  act<Options>(command, shell, ({ args, options }) => {
    if ((options.all === true) === args.length > 0)
      throw new GuardError('GUARD_ERR_USAGE', 'Give ids, or --all.', '"guard reservations" shows the ids.');
    return atDesk(options, shell, (desk) => {
      if (options.all === true) {
        const told = releaseAll(desk);
        if (options.json === true) shell.json(told);
        else
          shell.out(`released ${told.released_count} reservation${told.released_count === 1 ? '' : 's'}\n`);
        return EXIT.yes;
      }
      const told = releaseFiles(desk, args);
      if (options.json === true) shell.json(told);
      else {
        for (const id of told.released) shell.out(`released ${plain(id)}\n`);
        for (const { id, error } of told.errors) shell.out(`not released ${plain(id)}: ${error}\n`);
      }
      return told.errors.length === 0 ? EXIT.yes : EXIT.no;
    });
  });
}
