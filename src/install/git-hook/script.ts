/** The text of the git hooks that `guard init --git-hooks` and `guard init --push-hook` install. */
import { join } from 'node:path';
import { shellWord } from '../../core/shell-word.ts';

export type GitHookName = 'pre-commit' | 'pre-push';

interface GitHookKind {
  /** The option of `guard init` that installs it. */
  readonly option: string;
  readonly act: string;
  readonly refuses: string;
  /** The hook at the end of the chain needs what git writes to standard input: which refs are pushed. */
  readonly input: string;
}

export const GIT_HOOKS: Readonly<Record<GitHookName, GitHookKind>> = {
  'pre-commit': {
    option: '--git-hooks',
    act: 'commit',
    refuses: 'a commit of files that other agents hold',
    input: '',
  },
  'pre-push': {
    option: '--push-hook',
    act: 'push',
    refuses: 'a push of work that may overwrite that of others',
    input: ' </dev/null',
  },
};
export const GIT_HOOK_NAMES = Object.keys(GIT_HOOKS) as readonly GitHookName[];

/** The previous hook, with its own bytes and mode. */
export const nextName = (name: GitHookName): string => `${name}.guard-next`;
/** The name under which the framework of pre-commit.com keeps an existing hook that it calls. */
export const legacyName = (name: GitHookName): string => `${name}.legacy`;

export const isGuardsHook = (text: string): boolean =>
  /\n# guard's pre-(?:commit|push) hook/.test(text.slice(0, 200));

/**
 * Exit 1 with `refused` is guard's own refusal, exit 2 its failure to check; anything else means that guard did not run,
 * which must not make commits impossible. A framework that moved this file aside and calls it runs it twice: the second
 * time its caller is already running.
 */
export function gitHookText(name: GitHookName, node: string, guard_root: string): string {
  const { option, act, refuses, input } = GIT_HOOKS[name];
  return `#!/bin/sh
# guard's ${name} hook: refuses ${refuses}. Made by "guard init ${option}";
# "guard uninstall" takes it out. The hook that was here before is beside it, and is called at the end.
next="\${0%/*}/${nextName(name)}"
[ "\${GUARD_GIT_HOOK_IN:-}" != "$next" ] || exit 0
node=${shellWord(node)}
[ -x "$node" ] || node=node
guard=${shellWord(join(guard_root, 'bin', 'guard.cjs'))}
if [ -f "$guard" ] && command -v "$node" >/dev/null 2>&1; then
  said=$("$node" "$guard" git-hook ${name}${input})
  rc=$?
  case "$rc:$said" in
    0:*) ;;
    1:refused) exit 1 ;;
    2:*)
      echo "guard: this ${act} could not be checked, so it was refused; git ${act} --no-verify goes without" >&2
      exit 1
      ;;
    *) echo "guard: this ${act} was not checked (exit $rc). Run: guard doctor" >&2 ;;
  esac
else
  echo "guard: this ${act} was not checked: there is no $guard. Run: guard init ${option}" >&2
fi
[ -x "$next" ] || exit 0
GUARD_GIT_HOOK_IN=$next
export GUARD_GIT_HOOK_IN
exec "$next" "$@"
`;
}

/** For a hook that guard must not change: a file of the project must not contain paths of one machine. */
export function gitHookLine(name: GitHookName, command: string): string {
  const call = `git-hook ${name}${GIT_HOOKS[name].input} >/dev/null || exit 1`;
  if (command === 'guard') return `if command -v guard >/dev/null; then guard ${call}; fi`;
  const program = command.split(' ').slice(1).join(' ');
  return `if [ -f ${program} ]; then ${command} ${call}; fi`;
}

/** Whether a hook contains such a line. */
export const callsGuard = (name: GitHookName, text: string): boolean =>
  new RegExp(`\\bgit-hook ${name}\\b`).test(text);
