import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadHarness } from '../../config/harness.ts';
import { unlessRefused } from '../../core/attempt.ts';
import { mainRoot } from '../../repo/main-root.ts';
import { checking, type Finding, ok, refused, warn } from '../check.ts';
import { isGitIgnored } from '../git-ignored.ts';
import { trackedBelow } from '../git-tracked.ts';

const NAMED = 5;

/** Files that guard writes for drafted agents' tasks, and that git knows although it ignores new ones. */
export const tasks = checking('tasks', ({ repo, env }) =>
  unlessRefused<Finding | readonly Finding[]>(() => {
    const root = mainRoot(repo);
    const { tasks_dir } = loadHarness({ repo, env });
    const dir = join(root, tasks_dir);
    if (!existsSync(dir)) return [];
    if (existsSync(join(dir, '.gitignore')) && !isGitIgnored(root, join(dir, 'any', 'task.json')))
      return ok(`${dir} has a .gitignore of its own, so its files can be committed`, { facts: { dir } });
    const files = trackedBelow(root, tasks_dir);
    if (files.length === 0) return ok('git ignores the files of tasks', { facts: { dir } });
    const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : '';
    return warn(`git tracks files of tasks, which guard writes: ${files.slice(0, NAMED).join(', ')}${more}`, {
      facts: { dir, files },
      hint: `Run: git rm -r --quiet --cached -- ${tasks_dir}, then commit that. Until then, every git commit -a of an agent contains what guard has written to them.`,
    });
  }, refused),
);
