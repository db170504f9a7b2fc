import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, warn } from '../check.ts';
import type { Check, CheckResult } from '../check.ts';
import { LAUNCHER } from '../command.ts';
import { isGitIgnored } from '../git-ignored.ts';
import { guardLines } from '../hook-lines.ts';

/** A project install is two files of the repository; without the launcher every write is denied. */
export const committed: Check = {
  id: 'committed',
  run: ({ repo, settings }) => {
    const project = settings.find(({ scope }) => scope === 'project');
    if (project === undefined || !guardLines(project.value).some(({ command }) => command.includes(LAUNCHER)))
      return [];
    const launcher = join(repo.root, LAUNCHER);
    const results: CheckResult[] = [];
    if (!existsSync(launcher)) {
      const details = { facts: { file: launcher }, hint: 'Run: guard init', fixable: true };
      results.push(fail('committed', `${launcher} is missing, so every write is denied`, details));
    }
    for (const file of [project.path, launcher].filter((path) => isGitIgnored(repo.root, path))) {
      const hint = 'Take it out of .gitignore and commit it, or install with --scope user.';
      results.push(
        warn('committed', `git ignores ${file}: sessions in linked worktrees are not guarded`, {
          facts: { file },
          hint,
        }),
      );
    }
    return results.length > 0
      ? results
      : [ok('committed', 'The launcher is in its place', { facts: { file: launcher } })];
  },
};
