/** `guard reserve GLOB… --reason TEXT`: reserve_files as a command. */
import type { Command } from 'commander';
import { plain } from '../../core/plain.ts';
import { reserveFiles } from '../../coordination/reservations.ts';
import { act } from '../act.ts';
import { atDesk, withDeskOptions } from '../desk.ts';
import type { DeskOptions } from '../desk.ts';
import { ttl_ms } from '../duration.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';

interface Options extends DeskOptions {
  readonly reason: string;
  readonly ttl?: number;
  readonly shared?: boolean;
  readonly all?: boolean;
}

export function define(command: Command, shell: Shell): void {
  withDeskOptions(command.argument('<globs...>', 'patterns, relative to the root of the checkout'))
    .requiredOption('--reason <text>', 'what for; others are shown it')
    .option(
      '--ttl <duration>',
      'how long (default 15m, at most 24h); the same pattern again extends it',
      ttl_ms,
    )
    .option('--shared', 'together with other shared ones')
    .option('--all', 'all of them or none');
  act<Options>(command, shell, ({ args, options }) =>
    atDesk(options, shell, (desk) => {
      const told = reserveFiles(desk, {
        patterns: args,
        reason: options.reason,
        ...(options.ttl === undefined ? {} : { ttl_ms: options.ttl }),
        exclusive: options.shared !== true,
        all: options.all === true,
      });
      if (options.json === true) shell.json(told);
      else {
        for (const one of told.reservations)
          shell.out(
            `${shell.color.green('reserved')} ${plain(one.path_pattern)}  ${one.id}  until ${one.expires_at}\n`,
          );
        for (const error of told.errors) shell.out(`${shell.color.red('not reserved')} ${plain(error)}\n`);
      }
      return told.errors.length === 0 ? EXIT.yes : EXIT.no;
    }),
  );
}
