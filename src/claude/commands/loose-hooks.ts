/**
 * guard's hook files that are in no commit yet: `git clean -fd`, `git stash -u` and `git reset --hard` take them along, and
 * the session goes on unguarded.
 */
import { askGit } from './ask-git.ts';
import { join } from 'node:path';
import type { Objection } from '../../core/denial.ts';
import { protectedPath } from '../../core/messages.ts';
import { shownAt } from '../../core/shown.ts';
import { LAUNCHER } from '../../install/command.ts';
import type { Target } from '../../repo/canonical.ts';
import { ownGitDir } from '../../repo/clones.ts';
import { isInGitIndex } from '../../repo/known/git-index.ts';
import type { Repo } from '../../repo/locate.ts';
import { isPresent } from '../../repo/git-dir.ts';
import type { HookSpace, Hook } from '../context.ts';
import type { Touched } from './touched.ts';

const SETTINGS = '.claude/settings.json';

/** Committed, they stay, or come back with what else a checkout brings. */
export const hasLooseHooks = (repo: Repo): boolean =>
  isPresent(join(repo.root, LAUNCHER)) && isLoose(repo, LAUNCHER);

/** Absolute, whether they are there or not. */
export const hooksIn = ({ root }: Pick<Repo, 'root'>): readonly string[] =>
  [LAUNCHER, SETTINGS].map((name) => join(root, name));

function isLoose(repo: Repo, name: string): boolean {
  const git_dir = ownGitDir(repo);
  return git_dir !== null && !isInGitIndex(git_dir, name);
}

/** git did not say: then it is not said to be loose. */
const isCommitted = (hook: Hook, { root, common_dir }: Repo, name: string): boolean =>
  askGit(hook, { cwd: root, common_dir: common_dir ?? root }, 'cat-file', '-e', `HEAD:${name}`) !== null;

/** The objection to an act that would take one of them off the disk; null: it does not. */
export function takesHooks(hook: Hook, space: HookSpace, target: Target, touched: Touched): Objection | null {
  const { root } = target.repo;
  const name = [LAUNCHER, SETTINGS].find((one) => target.real === join(root, one));
  if (name === undefined || !touched.on_disk || touched.loses !== 'uncommitted') return null;
  // Of a committed one, the committed state comes back.
  if (!isLoose(target.repo, name) && isCommitted(hook, target.repo, name)) return null;
  const at = shownAt(target.abs, target.path, space.facts());
  const reason = `${touched.source.slice(0, 80)} would take guard's hooks out of this checkout: they are in no commit`;
  const commit = `git add -- ${LAUNCHER} ${SETTINGS} && git commit -m "Guard this repository" -- ${LAUNCHER} ${SETTINGS}`;
  return { ...protectedPath(at, reason), next: [{ order: 'other', text: commit }] };
}
