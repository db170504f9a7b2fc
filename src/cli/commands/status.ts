/** `guard status`: what needs attention, who is here, what they hold and whom they wait for; once, or kept on the screen. */
import { readNow } from '../../repo/clock.ts';
import { STATUS } from '../../operations/status.ts';
import { statusWords } from '../board/status-words.ts';
import { watchScreen } from '../board/watch-screen.ts';
import type { Declaring } from '../declaring.ts';
import { looks } from '../operate-looking.ts';
import type { Shell } from '../shell.ts';

export function define(command: Declaring, shell: Shell): void {
  command.option(
    '--all',
    'show every row and file (default: 50 rows of a list, and one row for many files of a directory)',
  );
  looks(command, shell, STATUS, {
    watches: (space) => space,
    screen: watchScreen,
    show: (told, to, { all }) =>
      to.out(
        statusWords(told, {
          is_all: all === true,
          color: to.color,
          now_ms: readNow().wall_ms,
        }),
      ),
  });
}
