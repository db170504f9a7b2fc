/**
 * guard's hook files that are in no commit yet: `git clean -fd`, `git stash -u` and `git reset --hard` remove them, and the
 * session continues unguarded.
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

/** Once committed they stay, or come back with the rest of a checkout. */
export const hasLooseHooks = (repo: Repo): boolean =>
  isPresent(join(repo.root, LAUNCHER)) && isLoose(repo, LAUNCHER);

/** Absolute paths, whether the files exist or not. */
export const hooksIn = ({ root }: Pick<Repo, 'root'>): readonly string[] =>
  [LAUNCHER, SETTINGS].map((name) => join(root, name));

function isLoose(repo: Repo, name: string): boolean {
  const git_dir = ownGitDir(repo);
  return git_dir !== null && !isInGitIndex(git_dir, name);
}

/** If git does not answer, the file counts as committed. */
const isCommitted = (hook: Hook, { root, common_dir }: Repo, name: string): boolean =>
  askGit(hook, { cwd: root, common_dir: common_dir ?? root }, 'cat-file', '-e', `HEAD:${name}`) !== null;

/** The objection to a command that would remove one of them from disk; null if it would not. */
export function takesHooks(hook: Hook, space: HookSpace, target: Target, touched: Touched): Objection | null {
  const { root } = target.repo;
  const name = [LAUNCHER, SETTINGS].find((one) => target.real === join(root, one));
  if (name === undefined || !touched.on_disk || touched.loses !== 'uncommitted') return null;
  // A committed file is restored to its committed state.
  if (!isLoose(target.repo, name) && isCommitted(hook, target.repo, name)) return null;
  const at = shownAt(target.abs, target.path, space.facts());
  const reason = `${touched.source.slice(0, 80)} would take guard's hooks out of this checkout: they are in no commit`;
  const commit = `git add -- ${LAUNCHER} ${SETTINGS} && git commit -m "Guard this repository" -- ${LAUNCHER} ${SETTINGS}`;
  return { ...protectedPath(at, reason), next: [{ order: 'other', text: commit }] };
}
