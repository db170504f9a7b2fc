/** Merges an agent's worktree into the checkout that the request comes from: all of it or nothing. */
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import type { DraftState } from '../core/drafts.ts';
import { whyProtected } from '../core/policy/protection.ts';
import { monotonic } from '../repo/clock.ts';
import { digestFile } from '../repo/digest.ts';
import { midwayIn } from '../repo/midway.ts';
import { locateAll } from '../locks/located.ts';
import type { SayRelease } from '../locks/rows.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { GitFailed } from '../worktrees/git.ts';
import { inTurn } from '../worktrees/in-turn.ts';
import { worktreeAt } from '../worktrees/make.ts';
import { holdsFiles } from './holds-files.ts';
import { mergedTree, moveTo } from './merged-commit.ts';
import { refusedMerge } from './refusal.ts';
import { commitOpen, gitIn, messageOf, ownWorktree } from './kept-worktree.ts';
import type { HarnessWorkspace } from './workspace.ts';
import { removeWhole } from './worktree.ts';

type Space = HarnessWorkspace & CallerWorkspace;

export interface MergeWish {
  /** One commit instead of the agent's own. */
  readonly squash: boolean;
  readonly release: SayRelease;
}

export interface MergedWorktree {
  readonly agentId: string;
  readonly branch: string;
  /** Root of the checkout. */
  readonly into: string;
  readonly commit: string;
  readonly files: readonly string[];
  /** Number of files that the agent had not committed. */
  readonly committed: number;
}

const TURN_MS = 60_000;

/**
 * Refused, with nothing changed here, if it conflicts or touches files that others hold or that are uncommitted here.
 * @throws GuardError GUARD_ERR_AGENT, GUARD_ERR_WORKTREE
 */
export function mergeWorktree(space: Space, given: string, { squash, release }: MergeWish): MergedWorktree {
  const kept = ownWorktree(space, given);
  const { draft, worktree } = kept;
  const { root } = space.repo;
  const git = gitIn(space);
  checkTarget(space, worktree.dir);
  return gitSays(() => {
    const head = git(root, 'rev-parse', 'HEAD').trim();
    const { tip, open } = commitOpen(space, kept);
    const tree = mergedTree(root, head, tip);
    const files = pathsIn(git(root, 'diff', '--name-only', '--no-renames', '-z', head, tree));
    if (files.length === 0)
      throw refusedMerge(
        'nothing',
        `${draft.id} has no changes that are not already here.`,
        `guard agent discard ${draft.id}`,
      );
    checkProtected(space, files);
    const made = { tree, parents: squash ? [head] : [head, tip], message: messageOf(draft, 'Merge ') };
    const commit = holdsFiles(space, files, release, () => {
      const moved = moveTo(git, root, made);
      settle(space, draft, moved, files);
      return moved;
    });
    inTurn(space, monotonic() + TURN_MS, () => removeWhole(space.root, worktree));
    return { agentId: draft.id, branch: worktree.branch, into: root, commit, files, committed: open };
  }, draft);
}

/** Called while the files are held, so that the next holder finds out who wrote them. */
function settle(space: Space, { id }: DraftState, commit: string, files: readonly string[]): void {
  const { who, repo } = space;
  const settled = { how: 'merged', by: who.id, commit, into: repo.root } as const;
  const abs = files.map((file) => join(repo.root, file));
  const written = locateAll(space, abs).flatMap(({ given, path }) => {
    const disk = attempt(() => digestFile(given, { deadline: () => undefined }), null);
    return path === null || (disk?.state !== 'file' && disk?.state !== 'missing')
      ? []
      : [{ path, digest: disk.digest }];
  });
  space.run({ type: 'draft', phase: 'settle', who, id, settled, written });
}

function checkTarget({ repo }: Space, dir: string): void {
  const { root, common_dir } = repo;
  if (root === dir)
    throw refusedMerge('itself', 'This is that worktree.', 'Run it in the checkout to merge into.');
  const own = worktreeAt(common_dir ?? '', root)?.git_dir ?? common_dir;
  const running = own === null ? null : (midwayIn(own)?.[1] ?? null);
  if (running !== null)
    throw refusedMerge(
      'midway',
      `A ${running} is in progress in ${root}.`,
      `End it first: git ${running} --continue or --abort.`,
    );
}

/** Files that keep the repository guarded may be merged only by people. */
function checkProtected({ who, repo, harness }: Space, files: readonly string[]): void {
  if (who.kind === 'person') return;
  const isGuards = (file: string): boolean => {
    const abs = join(repo.root, file);
    const isAt = (place: string): boolean => place === 'roles' && file.startsWith(`${harness.roles_dir}/`);
    return whyProtected({ real: abs, abs, isAt }) !== null || SETTINGS.test(file);
  };
  const found = files.filter(isGuards);
  if (found.length === 0) return;
  throw refusedMerge(
    'protected',
    `It changes files that keep this repository guarded: ${found.join(', ')}.`,
    'Only a person may merge it.',
  );
}

const SETTINGS = /(?:^|\/)\.claude\/settings(?:\.local)?\.json$|(?:^|\/)\.mcp\.json$/;

function gitSays<T>(work: () => T, { id }: DraftState): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw refusedMerge(
      'git',
      `${id} was not merged: ${error.message}`,
      'Commit or move what is in the way, then try again.',
    );
  }
}

const pathsIn = (listed: string): readonly string[] => listed.split('\0').filter((path) => path !== '');
