/** Whether the staged changes include files of others; for git's own hook, and for hook managers (`guard check --staged`). */
import { relative } from 'node:path';
import { type RefusedCommit, refusedCommit } from '../../core/commit-words.ts';
import { ownCommit } from '../../git/own-commit.ts';
import { guardCommand } from '../../install/guard-command.ts';
import type { Repo } from '../../repo/locate.ts';
import { isInClaude } from '../agent-id.ts';
import type { Shell } from '../shell.ts';
import { withWorkspace } from '../workspace.ts';
import { hookPlace, type NotChecked } from './hook-place.ts';
import { type CommitVerdict, judgeCommit } from './pre-commit.ts';

export type StagedCheck =
  | NotChecked
  | { readonly state: 'clear' }
  | {
      readonly state: 'refused';
      readonly kept: RefusedCommit['kept'];
      /** A command that makes the same commit without them; `null` if there is none. */
      readonly own: string | null;
      /** The whole refusal as text. */
      readonly lines: readonly string[];
    };

/** @throws GuardError GUARD_ERR_IO if git does not say what is staged */
export async function checkStaged(shell: Shell): Promise<StagedCheck> {
  const place = hookPlace(shell);
  if (place.state !== 'here') return place;
  const { at, repo } = place;
  const verdict = await withWorkspace({ ...shell, cwd: at.root }, (space) =>
    judgeCommit(space, { root: at.root, git_dir: at.git_dir, env: shell.env }, shell),
  );
  return verdict === null ? { state: 'clear' } : refusal(verdict, repo, shell);
}

function refusal(
  { kept: found, mine, is_joining, is_agent }: CommitVerdict,
  repo: Repo,
  { env }: Shell,
): StagedCheck {
  const prefix = env['GIT_PREFIX'] ?? '';
  const kept = found.map((one) => ({ ...one, typed: relative(prefix, one.name) }));
  const theirs = found.map(({ name }) => name);
  const own = is_joining ? null : ownCommit({ mine, theirs, prefix });
  const said = { kept, own, is_joining, is_agent: is_agent || isInClaude(env), guard: guardCommand(repo) };
  return { state: 'refused', kept, own, lines: refusedCommit(said) };
}
