import { join } from 'node:path';
import { ownPlace } from '../../repo/clones.ts';
import { realPath } from '../../repo/real-path.ts';
import { findGitHook, type GitHookFound, hookFile } from '../git-hook/find.ts';
import { callsAlready } from '../git-hook/change.ts';
import { GIT_HOOKS, type GitHookName, gitHookText } from '../git-hook/script.ts';
import { type Check, checking, fail, type Finding, ok, type Patient, warn } from '../check.ts';
import { ownBook } from '../own-book.ts';

/** The hooks of `guard init --git-hooks` and `--push-hook`. Without them, the checks say nothing. */
export const gitHook = hookCheck('git_hook', 'pre-commit');
export const pushHook = hookCheck('push_hook', 'pre-push');

const SAYS: Readonly<Record<GitHookName, { readonly good: string; readonly acts: string }>> = {
  'pre-commit': { good: 'Commits of files that another agent holds are refused', acts: 'commits' },
  'pre-push': { good: 'Pushes of work that may overwrite that of others are refused', acts: 'pushes' },
};

const again = (name: GitHookName): string => `Run: guard init ${GIT_HOOKS[name].option}`;

function hookCheck(id: string, name: GitHookName): Check {
  return checking(id, (patient) => {
    const { repo, env } = patient;
    const found = repo.initialised ? findGitHook(name, repo, env) : null;
    if (found === null || repo.common_dir === null) return [];
    const own = join(realPath(repo.common_dir), 'hooks', name);
    const isOnRecord = Object.keys(ownBook(ownPlace(repo), env).files).some((file) =>
      file.endsWith(`/${name}`),
    );
    const isThere = found.hook.is_guards || callsAlready(found);
    if (!isThere && !isOnRecord && !hookFile(own).is_guards) return [];
    return isThere ? stateOf(found, patient) : lost(found, own);
  });
}

function stateOf(found: GitHookFound, { guard_root }: Patient): Finding {
  const { name, hook, next } = found;
  const facts = { file: hook.path };
  if (!hook.is_executable)
    return fail(`${hook.path} is not executable, so git does not run it`, { facts, hint: again(name) });
  if (!hook.is_guards) return ok(`${hook.path} calls guard`, { facts });
  const text = hook.bytes?.toString('utf8') ?? '';
  // Ignores which Node set it up.
  const node = /^node=(.*)$/m.exec(text)?.[1] ?? '';
  const made = gitHookText(name, 'node', guard_root).replace('node=node\n', '');
  if (text.replace(`node=${node}\n`, '') !== made)
    return warn(`${hook.path} was changed, or is from another version of guard`, {
      facts,
      hint: `Look at it. ${again(name)}`,
    });
  if (next.exists && !next.is_executable)
    return warn(`${next.path}, which was the hook here before, is not executable and not called`, {
      facts: { file: next.path },
      hint: 'If it should run: chmod +x it.',
    });
  return ok(SAYS[name].good, { facts });
}

function lost({ name, dir, hook }: GitHookFound, own: string): Finding {
  const facts = { file: own, dir };
  if (hookFile(own).is_guards)
    return fail(`git takes hooks from ${dir} (core.hooksPath), so guard's in ${own} never runs`, {
      facts,
      hint: `guard init ${GIT_HOOKS[name].option} says which line to add there.`,
    });
  return hook.exists
    ? fail(`${hook.path} is no longer guard's, and does not call guard`, {
        facts,
        hint: `Look at it. ${again(name)}`,
      })
    : fail(`${hook.path} is missing, so ${SAYS[name].acts} are not checked`, { facts, hint: again(name) });
}
