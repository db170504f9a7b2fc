import { plain } from '../../core/plain.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Screen } from '../screen.ts';
import type { Shell } from '../shell.ts';
import { namesHere } from '../view/names-here.ts';

const CLEAR_LINE = '\r\u001b[2K';

/**
 * One line that is overwritten until the wait has ended.
 * @param terminal whether standard error is one: then a person sees who holds the file and how long it may still take
 */
export function countdown(
  shell: Shell,
  { store }: Pick<Workspace, 'store'>,
  terminal = process.stderr.isTTY,
): Screen {
  if (!terminal) return {};
  const nameOf = namesHere(store);
  return {
    onWaiting: ({ filepaths, holders, left_ms, note }) => {
      const files = plain(filepaths.join(', '));
      const by = holders.length === 0 ? 'no one yet' : holders.map(nameOf).join(', ');
      const left = `${Math.ceil(left_ms / 1000)} s left, Ctrl-C ends it`;
      const told = note === null ? '' : ` ${plain(note)}`;
      shell.err(`${CLEAR_LINE}waiting for ${files}: held by ${by}; ${left}${told}`);
    },
    close: () => shell.err(CLEAR_LINE),
  };
}
