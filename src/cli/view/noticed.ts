/** What guard noticed and nobody has put right: hooks that agents added, changes of what keeps guard going. */
import type { NoticedState } from '../../core/noticed.ts';
import { plain } from '../../core/plain.ts';
import { rfc3339 } from '../../core/rfc3339.ts';
import type { Shell } from '../shell.ts';

export function noticedLines(items: readonly NoticedState[], { color }: Shell): string[] {
  if (items.length === 0) return [];
  return [
    '',
    color.yellow('To look at:'),
    ...items.map(
      ({ what, file, event, detail, agent, at_wall_ms }) =>
        `  ${plain(file)}  ${what === 'hook' ? `hook for ${event}, added by ${agent}: ` : `after a command of ${agent}, `}${detail}  ${rfc3339(at_wall_ms)}`,
    ),
  ];
}
