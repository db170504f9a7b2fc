/** What a person should know after `guard init --host`, one line each. */
import { isGitIgnored } from '../git-ignored.ts';
import { LAUNCHER } from '../command.ts';
import type { InstallPlan } from '../plan.ts';
import type { HostFound } from './place.ts';
import { HOST_ROWS } from './place.ts';
import type { Repo } from '../../repo/locate.ts';

export function hostNotes(
  { name, scope, found }: HostFound,
  plan: InstallPlan,
  repo: Repo,
): readonly string[] {
  const { label, file, notes } = HOST_ROWS[name];
  const { command } = plan.record;
  return [
    ...(scope === 'project' && repo.common_dir !== null
      ? [`Commit ${file} and ${LAUNCHER}; every other clone needs its own "guard init --host ${name}".`]
      : []),
    ...(command === 'guard' ? [] : [`Agents will call guard as: ${command}.`]),
    ...notes(scope),
    ...(scope === 'project' && isGitIgnored(repo.root, found.path)
      ? [
          `Warning: git ignores ${file}, so ${label} will not be guarded in linked worktrees and other clones.`,
        ]
      : []),
  ];
}
