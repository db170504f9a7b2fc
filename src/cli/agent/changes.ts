/** What agents left in their worktrees, as text. */
import { plain } from '../../core/plain.ts';
import type { DiscardedWorktree } from '../../harness/discard-worktree.ts';
import type { MergedWorktree } from '../../harness/merge-worktree.ts';
import type { ChangedWorktree, MeetingPair, WorktreeChanges } from '../../operations/worktree-changes.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';
import { counted } from '../view/counted.ts';

const FILES_SHOWN = 30;

export function showChanges({ worktrees, pairs }: WorktreeChanges, shell: Shell): void {
  const nameOf = (id: string): string =>
    plain(worktrees.find(({ agentId, name }) => agentId === id && name !== null)?.name ?? id);
  const lines = [
    ...worktrees.flatMap((one) => worktreeLines(one, shell)),
    ...pairs.flatMap((pair) => pairLines(pair, nameOf)),
  ];
  shell.out(`${(lines.length === 0 ? ['No agent has a worktree with changes.'] : lines).join('\n')}\n`);
}

function worktreeLines(one: ChangedWorktree, { color }: Shell): string[] {
  const { agentId, name, role, status, files, commits, branch, conflicts, notes } = one;
  const shown = files
    .slice(0, FILES_SHOWN)
    .map(({ path, added, removed, is_open }) => [
      plain(path),
      added === null ? 'binary' : `+${added} -${removed ?? 0}`,
      is_open ? 'not committed' : '',
    ]);
  const more = files.length - shown.length;
  return [
    `${color.bold(plain(name ?? agentId))}  ${plain(role)}, ${status}; ${counted(files.length, 'file')}, ${counted(commits, 'commit')}; branch ${plain(branch)}`,
    ...columns(shown),
    ...(more > 0 ? [`  and ${more} more: --json has all`] : []),
    ...conflictLines('conflicts with the main checkout in', conflicts),
    ...notes.map((note) => `  ${plain(note)}`),
  ];
}

const conflictLines = (words: string, conflicts: readonly { readonly path: string }[]): string[] =>
  conflicts.length === 0
    ? []
    : [`  ${words} ${[...new Set(conflicts.map(({ path }) => plain(path)))].join(', ')}`];

function pairLines({ a, b, overlaps, conflicts }: MeetingPair, nameOf: (id: string) => string): string[] {
  const clean = overlaps.filter((path) => !conflicts.some((one) => one.path === path));
  return [
    `${nameOf(a)} and ${nameOf(b)}`,
    ...conflictLines('conflict in', conflicts),
    ...(clean.length === 0 ? [] : [`  both changed, and git can merge: ${clean.map(plain).join(', ')}`]),
  ];
}

export const mergedLine = ({ agentId, into, commit, files, committed }: MergedWorktree): string =>
  `${plain(agentId)} is merged into ${plain(into)}: ${commit.slice(0, 12)}, ${counted(files.length, 'file')}${committed === 0 ? '' : `, ${committed} of them committed just now`}.\n`;

export const discardedLine = ({ agentId, branch, commit }: DiscardedWorktree): string =>
  `The worktree of ${plain(agentId)} is gone. Until git collects it, this restores it: git branch ${plain(branch)} ${commit.slice(0, 12)}\n`;
