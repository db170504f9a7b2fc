/** What guard noticed and nobody has put right: hooks that agents added, changes of what keeps guard going. */
import { hasHook } from '../../claude/settings-hooks.ts';
import type { NoticedState } from '../../core/noticed.ts';
import { plain } from '../../core/plain.ts';
import { rfc3339 } from '../../core/rfc3339.ts';
import { textOf } from '../../repo/small-file.ts';
import type { Shell } from '../shell.ts';

const SETTINGS_BYTES = 4 << 20;

/** A hook that is gone from its file is nobody's concern any more. */
export const stillNoticed = (items: readonly NoticedState[]): readonly NoticedState[] =>
  items.filter((one) => one.what === 'changed' || hasHook(textOf(one.file, SETTINGS_BYTES) ?? '', one));

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
