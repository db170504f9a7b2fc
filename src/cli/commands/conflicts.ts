/** `guard conflicts GLOB…`: whether patterns could be reserved now. */
import type { Command } from 'commander';
import { plain } from '../../core/plain.ts';
import { checkConflicts } from '../../coordination/reservations.ts';
import { act } from '../act.ts';
import { atDesk, withDeskOptions } from '../desk.ts';
import type { DeskOptions } from '../desk.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';

interface Options extends DeskOptions {
  readonly shared?: boolean;
}

export function define(command: Command, shell: Shell): void {
  withDeskOptions(command.argument('<globs...>', 'patterns, relative to the root of the checkout')).option(
    '--shared',
    'as a shared reservation',
  );
  act<Options>(command, shell, ({ args, options }) =>
    atDesk(options, shell, (desk) => {
      const told = checkConflicts(desk, args, options.shared !== true);
      if (options.json === true) shell.json(told);
      else {
        for (const one of told.clear) shell.out(`${shell.color.green('free')}  ${plain(one)}\n`);
        for (const one of told.conflicts)
          shell.out(
            `${shell.color.red('taken')} ${plain(one.requested)}: ${plain(one.pattern)} by ${plain(one.held_by)} until ${one.expires_at} (${plain(one.reason)})\n`,
          );
        for (const error of told.errors ?? []) shell.out(`${plain(error)}\n`);
      }
      return told.conflicts.length + (told.errors ?? []).length === 0 ? EXIT.yes : EXIT.no;
    }),
  );
}
