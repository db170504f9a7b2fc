/** The text of the pre-commit hook that `guard init --git-hooks` installs. */
import { join } from 'node:path';
import { shellWord } from '../../core/shell-word.ts';

export const HOOK_NAME = 'pre-commit';
/** The previous hook, with its own bytes and mode. */
export const NEXT_NAME = 'pre-commit.guard-next';
/** The name under which the framework of pre-commit.com keeps an existing hook that it calls. */
export const LEGACY_NAME = 'pre-commit.legacy';
export const HOOK_MARK = "# guard's pre-commit hook";

export const isGuardsHook = (text: string): boolean => text.slice(0, 200).includes(`\n${HOOK_MARK}`);

/**
 * Exit 1 with `refused` is guard's own refusal, exit 2 its failure to check; anything else means that guard did not run,
 * which must not make commits impossible. A framework that moved this file aside and calls it runs it twice: the second
 * time its caller is already running.
 */
export const gitHookText = (node: string, guard_root: string): string => `#!/bin/sh
${HOOK_MARK}: refuses a commit of files that other agents hold. Made by "guard init --git-hooks";
# "guard uninstall" takes it out. The hook that was here before is beside it, and is called at the end.
next="\${0%/*}/${NEXT_NAME}"
[ "\${GUARD_GIT_HOOK_IN:-}" != "$next" ] || exit 0
node=${shellWord(node)}
[ -x "$node" ] || node=node
guard=${shellWord(join(guard_root, 'bin', 'guard.cjs'))}
if [ -f "$guard" ] && command -v "$node" >/dev/null 2>&1; then
  said=$("$node" "$guard" git-hook pre-commit)
  rc=$?
  case "$rc:$said" in
    0:*) ;;
    1:refused) exit 1 ;;
    2:*)
      echo "guard: this commit could not be checked, so it was refused; git commit --no-verify goes without" >&2
      exit 1
      ;;
    *) echo "guard: this commit was not checked (exit $rc). Run: guard doctor" >&2 ;;
  esac
else
  echo "guard: this commit was not checked: there is no $guard. Run: guard init --git-hooks" >&2
fi
[ -x "$next" ] || exit 0
GUARD_GIT_HOOK_IN=$next
export GUARD_GIT_HOOK_IN
exec "$next" "$@"
`;

/** For a hook that guard must not change: a file of the project must not contain paths of one machine. */
export function gitHookLine(command: string): string {
  if (command === 'guard')
    return 'if command -v guard >/dev/null; then guard git-hook pre-commit >/dev/null || exit 1; fi';
  const program = command.split(' ').slice(1).join(' ');
  return `if [ -f ${program} ]; then ${command} git-hook pre-commit >/dev/null || exit 1; fi`;
}

/** Whether a hook contains such a line. */
export const callsGuard = (text: string): boolean => /\bgit-hook pre-commit\b/.test(text);
