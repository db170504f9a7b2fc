import { plain } from '../../core/plain.ts';
import type { ClientProcess } from '../../repo/client-processes.ts';
import type { Shell } from '../shell.ts';
import { columns } from './columns.ts';

export function unjoinedLines(
  clients: readonly ClientProcess[] | null,
  root: string,
  { color }: Shell,
): readonly string[] {
  if (clients === null || clients.length === 0) return [];
  const rows = clients.map(({ pid, cwd, age_s }) => [`pid ${pid}`, plain(cwd), `for ${duration(age_s)}`]);
  return [
    '',
    color.yellow('Claude Code without guard: it works here, and its hooks never ran'),
    ...columns(rows),
    `  Start it in ${plain(root)}, or for every directory: guard init --scope user ("guard doctor" looks further)`,
  ];
}

const duration = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
