/**
 * `guard git-hook pre-commit` and `guard git-hook pre-push`: git starts them before a commit and a push
 * (install/git-hook/script.ts). They print `refused` to standard output.
 */
import type { Command } from 'commander';
import { rfc3339 } from '../../core/rfc3339.ts';
import { act } from '../act.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { checkGitPush } from '../git-hook/check-git-push.ts';
import { checkStaged } from '../git-hook/check-staged.ts';
import type { NotChecked } from '../git-hook/hook-place.ts';
import type { Shell } from '../shell.ts';

export function define(command: Command, shell: Shell): void {
  const preCommit = command
    .command('pre-commit')
    .description('check whether this commit includes files that others hold');
  act(preCommit, shell, async () => tell(await checkStaged(shell), 'commit', shell));
  const prePush = command
    .command('pre-push')
    .description('check whether this agent wrote after its locks had ended, or may have');
  act(prePush, shell, async () => tell(await checkGitPush(shell), 'push', shell));
}

type Found = NotChecked | { readonly state: 'clear' | 'refused'; readonly lines?: readonly string[] };

function tell(found: Found, what: string, shell: Shell): ExitCode {
  if (found.state === 'clear' || found.state === 'refused') {
    for (const line of found.lines ?? []) shell.err(`${line}\n`);
    if (found.state === 'clear') return EXIT.yes;
    shell.out('refused');
    return EXIT.no;
  }
  const why =
    found.state === 'off'
      ? `off until ${rfc3339(found.until_wall_ms)}`
      : 'this repository is not set up for guard';
  shell.err(`guard: ${why}, so this ${what} was not checked.\n`);
  return EXIT.yes;
}
