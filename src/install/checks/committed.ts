import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestBytes } from '../../repo/digest.ts';
import { checking, fail, type Finding, ok, warn } from '../check.ts';
import { LAUNCHER } from '../command.ts';
import { isGitIgnored } from '../git-ignored.ts';
import { guardRoot } from '../guard-root.ts';
import { guardLines } from '../hook-lines.ts';

/** A project install is two files in the repository; without the launcher every write is denied. */
export const committed = checking('committed', ({ repo, settings }) => {
  const project = settings.find(({ scope }) => scope === 'project');
  if (project === undefined || !guardLines(project.value).some(({ command }) => command.includes(LAUNCHER)))
    return [];
  const launcher = join(repo.root, LAUNCHER);
  const results: Finding[] = [];
  if (!existsSync(launcher)) {
    const details = { facts: { file: launcher }, hint: 'Run: guard init', fixable: true };
    results.push(fail(`${launcher} is missing, so every write is denied`, details));
  }
  results.push(...changed(launcher));
  for (const file of [project.path, launcher].filter((path) => isGitIgnored(repo.root, path))) {
    const hint = 'Remove it from .gitignore and commit it, or install with --scope user.';
    results.push(
      warn(`git ignores ${file}: sessions in linked worktrees are not guarded`, { facts: { file }, hint }),
    );
  }
  return results.length > 0 ? results : [ok('The launcher is in place', { facts: { file: launcher } })];
});

/** guard 0.1: a launcher that looks in node_modules and lets writes pass if something is broken. */
const OLD = 'b834033d619781c0d318beecb325370297108488bb07631f5c85a45bf0d4706c';

function changed(launcher: string): readonly Finding[] {
  if (!existsSync(launcher)) return [];
  // From the running guard, which is the source for "guard init"; a program home has no copy of it.
  const source = join(guardRoot(), 'hooks', 'guard-hook.cjs');
  const [found, wanted] = [launcher, source].map((file) => readFileSync(file));
  if (found === undefined || wanted === undefined || found.equals(wanted)) return [];
  const is_old = digestBytes(found) === OLD;
  const message = is_old
    ? `${launcher} is from guard 0.1, which lets writes pass if guard is broken`
    : `${launcher} was changed, or is from another version: it may let writes pass`;
  const hint = 'Run: guard init, then commit the file.';
  return [fail(message, { facts: { file: launcher, old: is_old }, hint, fixable: true })];
}
