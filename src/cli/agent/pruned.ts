import { plain } from '../../core/plain.ts';

interface Pruned {
  readonly logs: readonly { readonly agentId: string; readonly endedAt: string }[];
  readonly worktrees: readonly { readonly agentId: string; readonly branch: string }[];
  readonly bytes: number;
  readonly done: boolean;
}

/** What was removed, or would be. */
export function prunedLines({ logs, worktrees, bytes, done }: Pruned): string {
  const verb = done ? 'Removed' : 'Would remove';
  const lines = [
    ...logs.map(({ agentId, endedAt }) => `  log of ${plain(agentId)}, ended ${endedAt}`),
    ...worktrees.map(
      ({ agentId, branch }) =>
        `  worktree of ${plain(agentId)}, branch ${plain(branch)}: everything in it is merged`,
    ),
  ];
  if (lines.length === 0) return 'Nothing to remove.\n';
  const size = `${(bytes / 1_048_576).toFixed(1)} MiB of logs`;
  return [`${verb} (${size}):`, ...lines, ...(done ? [] : ['To do it: guard agent prune --apply']), ''].join(
    '\n',
  );
}
