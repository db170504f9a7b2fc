/** How a drafted agent ended, in words. */
import { plain } from '../../core/plain.ts';
import type { AwaitResult } from '../../harness/await.ts';
import type { AwaitAnswer } from '../../operations/drafted.ts';
import type { Shell } from '../shell.ts';

export const showEnded = {
  show(told: AwaitAnswer, shell: Shell): void {
    if (told.status === 'deadlock') shell.err(`${plain(told.message)}\n`);
    else if (told.status !== 'cancelled') shell.out(`${linesOf(told, shell).join('\n')}\n`);
  },
  isYes: ({ status }: AwaitAnswer): boolean => status === 'completed',
};

function linesOf({ status, reason, result, message, worktree }: AwaitResult, { color }: Shell): string[] {
  const why = reason === null || status === 'completed' ? '' : `: ${plain(reason)}`;
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  ${plain(item)}`)];
  return [
    `${color.bold(status)}${why}`,
    ...(result === undefined
      ? message.split('\n').map(plain)
      : [
          plain(result.summary),
          ...list('Changes', result.changes),
          ...list('Issues', result.issues),
          ...list('Questions', result.questions),
        ]),
    ...(worktree === undefined ? [] : worktreeLines(worktree)),
  ];
}

function worktreeLines({
  dir,
  branch,
  changed,
  commits,
  kept,
}: NonNullable<AwaitResult['worktree']>): string[] {
  if (!kept) return ['Its worktree was left as it was, and is removed.'];
  const files = changed === null ? [] : changed.map((path) => `  ${plain(path)}`);
  return [`Worktree ${plain(dir)}, branch ${plain(branch)}, ${commits} commits; changed:`, ...files];
}
