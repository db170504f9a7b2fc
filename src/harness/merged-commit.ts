/** Makes a merge as a commit outside every checkout, and moves a checkout to it. */
import { spawnSync } from 'node:child_process';
import { GuardError } from '../core/error.ts';
import { gitProgram } from '../repo/git-program.ts';
import type { RunGit } from '../worktrees/git.ts';
import { refusedMerge } from './refusal.ts';

/** Like `git merge`, but in no checkout. @throws GuardError if it conflicts */
export function mergedTree(root: string, head: string, tip: string): string {
  const args = [
    '-c',
    'core.hooksPath=/dev/null',
    'merge-tree',
    '--write-tree',
    '--name-only',
    '--no-messages',
    '-z',
  ];
  const { status, stdout, stderr } = spawnSync(gitProgram() ?? 'git', [...args, head, tip], {
    ...{ cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 },
  } as const);
  const [tree = '', ...conflicts] = stdout.split('\0').filter((one) => one !== '');
  if (status === 0) return tree;
  if (status !== 1 || conflicts.length === 0)
    throw new GuardError(
      'GUARD_ERR_GIT',
      `git cannot merge it: ${stderr.trim()}`,
      'git 2.39 or newer is needed.',
      { status },
    );
  const files = [...new Set(conflicts)];
  throw refusedMerge(
    'conflicts',
    `It conflicts with what is here in ${files.length} files: ${files.join(', ')}.`,
    'Let an agent merge this branch into its own and resolve them there, or merge it by hand.',
    { files: files.join('\n') },
  );
}

interface MadeCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** A fast-forward, which git does completely or not at all: it stops if that would overwrite something uncommitted. */
export function moveTo(git: RunGit, root: string, { tree, parents, message }: MadeCommit): string {
  const flags = parents.flatMap((parent) => ['-p', parent]);
  const commit = git(root, 'commit-tree', tree, ...flags, '-m', message).trim();
  git(root, 'merge', '--ff-only', '-q', '--no-overwrite-ignore', commit);
  return commit;
}
