/** A message on a terminal. */
import { plain } from '../../core/plain.ts';
import type { InboxMessage } from '../../operations/messages.ts';
import type { Shell } from '../shell.ts';
import { timeAgo } from './time-left.ts';

/** Whatever the message contains, the terminal must not interpret any of it. */
export function messageLines(
  message: InboxMessage,
  color: Shell['color'],
  nameOf: (id: string) => string,
): string {
  const { id, timestamp, from, subject, body, importance, thread_id } = message;
  const head = [
    color.dim(timeAgo(timestamp)),
    id,
    `from ${nameOf(from)}`,
    importance === 'normal' ? '' : importance,
    plain(subject),
    `thread ${plain(thread_id)}`,
  ];
  return `${head.filter((word) => word !== '').join('  ')}\n${body
    .split('\n')
    .map((line) => `  ${plain(line)}\n`)
    .join('')}`;
}
