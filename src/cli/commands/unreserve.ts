/** `guard unreserve ID…`, `guard unreserve --all`: release_files and release_all as a command. */
import { plain } from '../../core/plain.ts';
import { UNRESERVE } from '../../operations/unreserve.ts';
import type { Declaring } from '../declaring.ts';
import { operates } from '../operate.ts';
import type { Shell } from '../shell.ts';

export function define(command: Declaring, shell: Shell): void {
  command.argument('[ids...]', 'as "guard reservations" shows them');
  operates(command, shell, UNRESERVE, {
    given: ({ args }) => ({ reservation_ids: args.length > 0 ? args : undefined }),
    flags: { reservation_ids: 'ID' },
    options: { all: ['--all', 'release all of yours'] },
    show(told, { out }) {
      if ('released_count' in told)
        out(`released ${told.released_count} reservation${told.released_count === 1 ? '' : 's'}\n`);
      else {
        for (const id of told.released) out(`released ${plain(id)}\n`);
        for (const { id, error } of told.errors) out(`not released ${plain(id)}: ${error}\n`);
      }
    },
    isYes: (told) => 'released_count' in told || told.errors.length === 0,
  });
}
