import { join } from 'node:path';
import { ownPlace } from '../../repo/clones.ts';
import { realPath } from '../../repo/real-path.ts';
import { findGitHook, type GitHookFound, hookFile } from '../git-hook/find.ts';
import { callsAlready } from '../git-hook/change.ts';
import { gitHookText, HOOK_NAME } from '../git-hook/script.ts';
import { checking, fail, type Finding, ok, type Patient, warn } from '../check.ts';
import { ownBook } from '../own-book.ts';

const AGAIN = 'Run: guard init --git-hooks';

/** The pre-commit hook of `guard init --git-hooks`. Without it, the check says nothing. */
export const gitHook = checking('git_hook', (patient) => {
  const { repo, env } = patient;
  const found = repo.initialised ? findGitHook(repo, env) : null;
  if (found === null || repo.common_dir === null) return [];
  const own = join(realPath(repo.common_dir), 'hooks', HOOK_NAME);
  const isOnRecord = Object.keys(ownBook(ownPlace(repo), env).files).some((file) =>
    file.endsWith(`/${HOOK_NAME}`),
  );
  const isThere = found.hook.is_guards || callsAlready(found);
  if (!isThere && !isOnRecord && !hookFile(own).is_guards) return [];
  return isThere ? stateOf(found, patient) : lost(found, own);
});

function stateOf(found: GitHookFound, { guard_root }: Patient): Finding {
  const { hook, next } = found;
  const facts = { file: hook.path };
  if (!hook.is_executable)
    return fail(`${hook.path} is not executable, so git does not run it`, { facts, hint: AGAIN });
  if (!hook.is_guards) return ok(`${hook.path} calls guard`, { facts });
  const text = hook.bytes?.toString('utf8') ?? '';
  // Ignores which Node set it up.
  const node = /^node=(.*)$/m.exec(text)?.[1] ?? '';
  if (text.replace(`node=${node}\n`, '') !== gitHookText('node', guard_root).replace('node=node\n', ''))
    return warn(`${hook.path} was changed, or is from another version of guard`, {
      facts,
      hint: `Look at it. ${AGAIN}`,
    });
  if (next.exists && !next.is_executable)
    return warn(`${next.path}, which was the hook here before, is not executable and not called`, {
      facts: { file: next.path },
      hint: 'If it should run: chmod +x it.',
    });
  return ok('Commits of files that another agent holds are refused', { facts });
}

function lost({ dir, hook }: GitHookFound, own: string): Finding {
  const facts = { file: own, dir };
  if (hookFile(own).is_guards)
    return fail(`git takes hooks from ${dir} (core.hooksPath), so guard's in ${own} never runs`, {
      facts,
      hint: 'guard init --git-hooks says which line to add there.',
    });
  return hook.exists
    ? fail(`${hook.path} is no longer guard's, and does not call guard`, {
        facts,
        hint: `Look at it. ${AGAIN}`,
      })
    : fail(`${hook.path} is missing, so commits are not checked`, { facts, hint: AGAIN });
}
